// Filters: a box above a table that keeps the rows whose text holds every word, and says how many those are.
(() => {
  for (const form of document.querySelectorAll("form.filter")) {
    const rows = [...document.getElementById(form.dataset.table).tBodies[0].rows];
    const texts = rows.map((row) => row.textContent.toLowerCase());
    const box = form.querySelector("input[type=search]");
    const onlyAttention = form.querySelector(".only-attention");
    const output = form.querySelector("output");

    const apply = () => {
      const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
      const attention = onlyAttention !== null && onlyAttention.checked;
      let kept = 0;
      rows.forEach((row, index) => {
        const keep = words.every((word) => texts[index].includes(word)) && !(attention && !("attention" in row.dataset));
        row.hidden = !keep;
        kept += keep ? 1 : 0;
      });
      const filtered = words.length > 0 || attention;
      output.textContent = filtered ? `${kept} of ${rows.length} ${form.dataset.what}` : `${rows.length} ${form.dataset.what}`;
    };

    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("input", apply);
    form.hidden = false;
    apply();
  }

  // A print shows everything: what is folded is unfolded for it, and folded again after it.
  let unfolded = [];
  addEventListener("beforeprint", () => {
    unfolded = [...document.querySelectorAll("details:not([open])")];
    unfolded.forEach((details) => { details.open = true; });
  });
  addEventListener("afterprint", () => {
    unfolded.forEach((details) => { details.open = false; });
  });
})();
