//! Imports between files of a crate, parsed from their text.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::Visit;
use syn::{Attribute, Item, ItemMod, ItemUse, Macro, UseTree};

/// A module's path, from the root of its crate.
type Name = Vec<String>;

/// A module of a crate.
#[derive(Default)]
struct Module {
    /// Its file, relative to the folder of the crate's root.
    file: String,
    /// Aliases that its `use` declarations introduce, with their full paths.
    aliases: BTreeMap<String, Name>,
    /// Modules that it imports by `*`.
    globs: Vec<Name>,
    /// All paths that occur in it.
    paths: BTreeSet<Name>,
}

/// All pairs of a file and a file that it uses, relative to the folder of the crate's root. Tests are
/// ignored.
pub fn imports(root: &Path) -> BTreeSet<(String, String)> {
    let mut modules = BTreeMap::new();
    read(root.parent().unwrap(), root, &[], &mut modules);
    let mut found = BTreeSet::new();
    for (name, module) in &modules {
        for path in &module.paths {
            if let Some(file) = resolve(&modules, name, path, 0).filter(|file| *file != module.file) {
                found.insert((module.file.clone(), file));
            }
        }
    }
    found
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let syn::Meta::List(list) = &attribute.meta else { return false };
        list.path.is_ident("cfg") && list.tokens.to_string() == "test"
    })
}

/// Reads a file and all files that it declares.
fn read(folder: &Path, file: &Path, name: &[String], modules: &mut BTreeMap<Name, Module>) {
    let text = fs::read_to_string(file).unwrap();
    let parsed = syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    take(folder, file, name, &parsed.items, modules);
}

/// Collects the items of a module.
fn take(folder: &Path, file: &Path, name: &[String], items: &[Item], modules: &mut BTreeMap<Name, Module>) {
    let below = file.strip_prefix(folder).unwrap().to_string_lossy().replace('\\', "/");
    let mut reader = Reader { module: Module { file: below, ..Module::default() } };
    for item in items {
        match item {
            Item::Mod(inner) if is_test(&inner.attrs) => {}
            Item::Mod(inner) => {
                let name = [name, &[inner.ident.to_string()]].concat();
                match &inner.content {
                    Some((_, items)) => take(folder, file, &name, items, modules),
                    None => read(folder, &module_file(file, inner), &name, modules),
                }
            }
            item => reader.visit_item(item),
        }
    }
    modules.insert(name.to_vec(), reader.module);
}

/// The file of a module that another file declares.
fn module_file(file: &Path, inner: &ItemMod) -> PathBuf {
    let (folder, stem) = (file.parent().unwrap(), file.file_stem().unwrap());
    let owns_folder = ["lib", "main", "mod"].iter().any(|name| stem == *name);
    let folder = if owns_folder { folder.to_owned() } else { folder.join(stem) };
    let flat = folder.join(format!("{}.rs", inner.ident));
    if flat.exists() { flat } else { folder.join(inner.ident.to_string()).join("mod.rs") }
}

struct Reader {
    module: Module,
}

impl Reader {
    /// Records a path; paths of other crates resolve to nothing later.
    fn note(&mut self, path: Name) {
        self.module.paths.insert(path);
    }

    /// Splits a `use` declaration into its paths.
    fn tree(&mut self, before: &[String], tree: &UseTree) {
        match tree {
            UseTree::Path(path) => self.tree(&[before, &[path.ident.to_string()]].concat(), &path.tree),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.tree(before, tree)),
            UseTree::Name(name) => self.alias(before, &name.ident.to_string(), &name.ident.to_string()),
            UseTree::Rename(name) => self.alias(before, &name.ident.to_string(), &name.rename.to_string()),
            UseTree::Glob(_) => {
                self.module.globs.push(before.to_vec());
                self.note(before.to_vec());
            }
        }
    }

    fn alias(&mut self, before: &[String], name: &str, called: &str) {
        let path = if name == "self" { before.to_vec() } else { [before, &[name.to_owned()]].concat() };
        let called =
            if called == "self" { before.last().cloned().unwrap_or_default() } else { called.to_owned() };
        self.note(path.clone());
        self.module.aliases.insert(called, path);
    }

    /// Paths in a macro's arguments, which are not a syntax tree.
    fn tokens(&mut self, tokens: TokenStream) {
        let mut path: Name = Vec::new();
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Ident(ident) if path.is_empty() || colons == 2 => {
                    path.push(ident.to_string());
                    colons = 0;
                }
                TokenTree::Punct(punct) if punct.as_char() == ':' && !path.is_empty() && colons < 2 => {
                    colons += 1;
                }
                token => {
                    self.note(std::mem::take(&mut path));
                    colons = 0;
                    match token {
                        TokenTree::Ident(ident) => path.push(ident.to_string()),
                        TokenTree::Group(group) => self.tokens(group.stream()),
                        TokenTree::Punct(_) | TokenTree::Literal(_) => {}
                    }
                }
            }
        }
        self.note(path);
    }
}

impl<'ast> Visit<'ast> for Reader {
    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        self.tree(&[], &item.tree);
    }

    fn visit_item_mod(&mut self, _: &'ast ItemMod) {}

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        if !is_test(&item.attrs) {
            syn::visit::visit_item_fn(self, item);
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        self.note(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        syn::visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        self.visit_path(&call.path);
        self.tokens(call.tokens.clone());
    }
}

/// The file that defines the item at a path, as seen from a module. `None` if the item is in another crate,
/// or is a module.
fn resolve(
    modules: &BTreeMap<Name, Module>,
    from: &[String],
    path: &[String],
    depth: usize,
) -> Option<String> {
    // Aliases that refer to each other in a cycle name nothing.
    if depth > 16 {
        return None;
    }
    let (mut at, mut rest, mut is_here) = (from.to_vec(), path, true);
    if path.first().is_some_and(|first| first == "crate") {
        (at, rest, is_here) = (Vec::new(), &path[1..], false);
    }
    while let Some(first) = rest.first().filter(|first| ["self", "super"].contains(&first.as_str())) {
        if first == "super" {
            at.pop()?;
        }
        (rest, is_here) = (&rest[1..], false);
    }
    while let Some(first) = rest.first() {
        let inner = [&at[..], std::slice::from_ref(first)].concat();
        let module = modules.get(&at)?;
        if modules.contains_key(&inner) {
            at = inner;
        } else if let Some(alias) = module.aliases.get(first).filter(|alias| *alias != rest) {
            let path = [&alias[..], &rest[1..]].concat();
            return resolve(modules, &at, &path, depth + 1);
        } else if let Some(file) =
            module.globs.iter().find_map(|glob| through(modules, &at, glob, rest, depth))
        {
            return Some(file);
        } else {
            // If this module does not declare the first name, it is a local name or another crate.
            return (!is_here).then(|| module.file.clone());
        }
        (rest, is_here) = (&rest[1..], false);
    }
    None
}

/// Resolves a path through all names of a module of this crate.
fn through(
    modules: &BTreeMap<Name, Module>,
    at: &[String],
    glob: &[String],
    rest: &[String],
    depth: usize,
) -> Option<String> {
    let inner = module(modules, at, glob)?;
    let declared = modules.contains_key(&[&inner[..], std::slice::from_ref(&rest[0])].concat())
        || modules[&inner].aliases.contains_key(&rest[0]);
    declared.then(|| resolve(modules, &inner, rest, depth + 1))?
}

/// The module at a path, as seen from a module.
fn module(modules: &BTreeMap<Name, Module>, at: &[String], path: &[String]) -> Option<Name> {
    let name = match path.first()?.as_str() {
        "crate" => path[1..].to_vec(),
        "self" => [at, &path[1..]].concat(),
        "super" => [&at[..at.len().checked_sub(1)?], &path[1..]].concat(),
        _ => [at, path].concat(),
    };
    modules.contains_key(&name).then_some(name)
}
