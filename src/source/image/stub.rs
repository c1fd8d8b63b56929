//! stub
#![allow(missing_docs, unused, clippy::all)]
use std::io; use std::io::Read; use serde::{Serialize,Deserialize};
use crate::source::store::StoreErrorKind;
#[derive(Debug,Clone,Default,Serialize,Deserialize)] pub struct LayerEntries{pub entries:Vec<LayerEntry>}
#[derive(Debug,Clone,Default,Serialize,Deserialize)] pub struct LayerEntry{pub path:String}
#[derive(Debug,Clone,Default)] pub struct LayerLimits;
#[derive(Debug,Clone,Default)] pub struct Wanted;
impl Wanted { pub fn new<P:AsRef<str>>(_:impl IntoIterator<Item=P>)->Self{Self} pub fn add(&mut self,_:&str)->bool{false} pub fn paths(&self)->&[String]{&[]} }
#[derive(Debug,thiserror::Error)] #[error("x")] pub struct LayerError{pub error:crate::source::store::StoreError}
pub fn walk_layer(content: impl Read, wanted:&Wanted, limits:&LayerLimits, visit:&mut dyn FnMut(usize,&str,u64,&mut dyn Read)->io::Result<()>)->Result<LayerEntries,LayerError>{Err(LayerError{error:crate::source::store::StoreError::new(StoreErrorKind::Bad,1)})}
#[derive(Debug,Clone,Default)] pub struct ImageTree{pub unresolved:Vec<String>,pub faults:Vec<TreeFault>}
#[derive(Debug,Clone,Default)] pub struct TreeFault{pub path:String,pub reason:String}
#[derive(Debug,Clone,Default)] pub struct TreeEntry{pub path:String,pub layer:usize,pub entry:usize,pub bytes:u64}
impl ImageTree{ pub fn below(&self,d:&str)->Vec<TreeEntry>{vec![]} }
pub fn flatten<'a>(layers: impl IntoIterator<Item=&'a LayerEntries>, wanted:&Wanted)->ImageTree{ImageTree::default()}
pub struct Mirror{pub stores:Vec<std::sync::Arc<dyn crate::source::store::Store>>,pub faults:Vec<crate::source::FileFault>}
pub fn open_mirror(p:&std::path::Path,l:&crate::source::SourceLimits)->Result<Mirror,crate::source::SourceError>{Ok(Mirror{stores:vec![],faults:vec![]})}
