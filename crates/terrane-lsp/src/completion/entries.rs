//! Proposals for new entries of `nodes`, `params` and `outputs`.

use std::collections::HashSet;

use gen_lsp_types::CompletionItemKind;

use super::proposal::{Proposal, escaped, quoted};
use crate::context::Context;
use crate::expected::{Entries, Types};
use crate::offers::{Offer, Place};
use crate::outline::Outline;
use crate::wires::{Reader, fitting, unread};

/// Output files that are proposed, at most.
const MOST: usize = 50;

/// New entries of a map.
pub fn new(
    context: &Context<'_>,
    outline: &Outline<'_>,
    types: &Types<'_>,
    place: &Place<'_>,
    of: Entries,
) -> Vec<Proposal> {
    let named = |detail: &str, docs: &str| {
        let entry = Proposal::new("\"name\"", CompletionItemKind::Snippet, detail, docs);
        entry.writes("\"${1:name}\": $0").plainly("\"name\": ")
    };
    match of {
        // A name is the author's choice.
        Entries::Nodes | Entries::Params if context.is_quoted => Vec::new(),
        Entries::Nodes => vec![named("a node", "The name of a new node, and its type.")],
        Entries::Params => vec![named("a parameter", "The name of a new parameter, and its value.")],
        Entries::Outputs => files(context, outline, types, place),
    }
}

/// A file for each output that has none yet: with the type that most programs read.
fn files(
    context: &Context<'_>,
    outline: &Outline<'_>,
    types: &Types<'_>,
    place: &Place<'_>,
) -> Vec<Proposal> {
    let offers = place.offers(outline);
    let fits = fitting(outline, types.registry, &offers, None, Reader::File(""));
    let written: Vec<&str> = outline.outputs.iter().filter_map(|own| Some(own.value?.text())).collect();
    let mut new: Vec<&Offer> =
        fits.into_iter().filter(|offer| !written.contains(&&*format!("\"{}\"", offer.reference))).collect();
    // What no node reads is a result.
    let results: HashSet<&str> =
        unread(outline, types.registry, &offers).into_iter().map(|offer| &*offer.reference).collect();
    new.sort_by_key(|offer| !results.contains(&*offer.reference));
    new.into_iter()
        .filter_map(|offer| {
            let extensions = terrane_runs::outputs::extensions(offer.kind);
            let usual = extensions.iter().find(|extension| **extension == "png").or(extensions.first())?;
            let stem: String =
                offer.reference.chars().map(|c| if ['/', '.'].contains(&c) { '_' } else { c }).collect();
            let file = format!("{stem}.{usual}");
            let others: Vec<String> = extensions.iter().map(|extension| format!(".{extension}")).collect();
            let docs = format!("{}: {}\n\nAlso {}", offer.of.name, offer.docs, others.join(", "));
            let proposal = quoted(context, &file, CompletionItemKind::File, offer.kind.name);
            let proposal = Proposal { docs, ..proposal };
            if context.is_quoted {
                return Some(proposal);
            }
            let text = format!("\"{}\": \"{}\"", escaped(&file), escaped(&offer.reference));
            Some(proposal.writes(text))
        })
        .take(MOST)
        .collect()
}
