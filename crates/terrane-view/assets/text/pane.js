// The text of the graph's files: an editor with the language service, which edits the same draft as the rest of the page.

import {
  EditorState, EditorView, Prec, acceptCompletion, autocompletion, bracketMatching, closeBrackets, closeBracketsKeymap, completionKeymap, defaultKeymap, drawSelection,
  formatDocument, highlightActiveLine, highlightSpecialChars, hoverTooltips, indentOnInput, indentUnit, indentWithTab, jumpToDefinitionKeymap, keymap, lineNumbers,
  lintKeymap, nextDiagnostic, search, searchKeymap, serverCompletion, startCompletion, syntaxHighlighting,
} from '../vendor/codemirror/codemirror.min.js';
import { ask } from '../build/ask.js';
import { h, plain } from '../dom.js';
import { fetchJson } from '../link.js';
import { toolbar } from './bar.js';
import { ConflictBox } from './conflict.js';
import { colours, graphLanguage, nodeAt, rangeOf } from './graphtext.js';
import { address, nameAt, allFixes, rename, service } from './service.js';
import { TextSync, fromServer } from './sync.js';
import { isUnfinished, leaveQuotes, typeOver } from './taken.js';
import { theme } from './theme.js';

// The page selects the node at the cursor after so many milliseconds.
const PAUSE = 350;
// Messages that have nothing to do with the draft.
const APART = new Set(['look', 'read', 'language', 'source', 'text']);

export class TextPane {
  #page;
  #link;
  #client = null;
  #view = null;
  #sync = null;
  #file = null;
  #target = null;
  #wait = [];
  #timer = 0;
  #moved = false;
  #parts;
  #root;
  #conflict = null;
  #wanted = null;
  // What the last rename left to do.
  #note = '';
  // Why the file cannot be read, if it could before.
  #gone = null;

  // `page` has the link, the builder, functions that choose a node and close the pane, and the graph, the state and the selection.
  constructor(element, page) {
    this.#page = page;
    this.#link = page.link;
    this.#parts = this.#build(element);
    // The editor's styles apply within a tree of their own, as the page permits no others.
    this.#root = this.#parts.host.attachShadow({ mode: 'open' });
    if (page.link.language) this.#client = service(page.link, (file) => this.#display(file), (why) => this.#say(why));
    page.link.addEventListener('text', ({ detail }) => this.#receive(detail));
    page.link.addEventListener('state', ({ detail }) => this.#state(detail));
    page.link.addEventListener('graph', () => this.#showNode(false));
    page.link.addEventListener('down', () => this.#sync?.lost());
    page.link.addEventListener('up', () => { if (this.#file) page.link.say({ do: 'read', file: this.#file }); });
    // What was typed comes before what is done with the mouse.
    page.link.addEventListener('said', ({ detail }) => { if (!APART.has(detail.do)) this.#sync?.flush(); });
    if (page.state) this.#state(page.state);
  }

  get view() { return this.#view; }

  get file() { return this.#file; }

  get isUnsent() { return Boolean(this.#view && this.#sync?.isUnsent); }

  // Shows a file, and in it a node, one of its fields, or a line and a column, counted from 1.
  show({ file, ...target } = {}) {
    const own = file ?? this.#file ?? this.#page.state?.files?.[0];
    // The files are not known yet.
    if (!own) { this.#wanted = target; return; }
    this.#target = target.node || target.line ? target : null;
    if (own === this.#file && this.#view) { this.#link.say({ do: 'read', file: own }); this.#go(); return; }
    this.#open(own);
  }

  // The pane was folded.
  hide() {
    this.#sync?.flush();
    this.#link.say({ do: 'read', file: null });
  }

  focus() { this.#view?.focus(); }

  #open(file) {
    this.#end();
    this.#file = file;
    this.#say('');
    this.#link.say({ do: 'read', file });
    if (this.#page.state) this.#state(this.#page.state);
  }

  #end() {
    this.#sync?.end();
    this.#view?.destroy();
    this.#view = null;
    this.#sync = null;
  }

  #receive({ file, text, problem, seen }) {
    if (this.#wait[0]?.file === file) { this.#wait.shift().done(text ?? null); return; }
    if (file !== this.#file) return;
    if (problem !== undefined) { this.#withoutFile(problem); return; }
    const isBack = this.#gone !== null;
    this.#gone = null;
    if (!this.#view) this.#begin(text);
    else this.#sync.receive(text, seen ?? undefined);
    // What was typed in the meantime was not taken.
    if (isBack) this.#sync.again();
    this.#showConflict();
    this.#go();
  }

  // The file cannot be read. A text that the page has stays, and can be written again.
  #withoutFile(problem) {
    this.#say(`${this.#file} cannot be read: ${problem}`);
    if (!this.#view) return;
    this.#gone = problem;
    this.#showConflict();
  }

  #begin(text) {
    const readOnly = this.#link.readOnly;
    this.#say(readOnly ? 'read-only' : '');
    const edit = (work) => (view) => { if (readOnly) return false; work(view); return true; };
    const turn = (which) => edit(() => { this.#sync.flush(); this.#page.builder[which](); });
    const own = [
      { key: 'Mod-z', run: turn('undo'), preventDefault: true },
      { key: 'Mod-y', mac: 'Mod-Shift-z', run: turn('redo'), preventDefault: true },
      { key: 'Mod-Shift-z', run: turn('redo'), preventDefault: true },
      { key: 'F8', run: () => this.#next(), preventDefault: true },
      { key: 'F2', run: edit(() => this.#rename()), preventDefault: true },
      { key: 'Shift-Alt-f', run: edit(() => this.#format()), preventDefault: true },
      { key: 'Mod-Enter', run: () => { this.#showNode(true); return true; }, preventDefault: true },
      { key: 'Tab', run: acceptCompletion },
    ];
    const client = this.#client;
    const extensions = [
      Prec.high(keymap.of(own)),
      keymap.of([...closeBracketsKeymap, ...completionKeymap, ...defaultKeymap, ...searchKeymap, ...lintKeymap, ...jumpToDefinitionKeymap, ...(readOnly ? [] : [indentWithTab])]),
      lineNumbers(), highlightSpecialChars(), drawSelection(), highlightActiveLine(), bracketMatching(), closeBrackets(), indentOnInput(), indentUnit.of('    '),
      search({ top: true }), autocompletion({ icons: false }), graphLanguage, syntaxHighlighting(colours), theme,
      EditorView.contentAttributes.of({ 'aria-label': `Text of ${this.#file}`, spellcheck: 'false', autocorrect: 'off', tabindex: '0' }),
      EditorState.readOnly.of(readOnly), leaveQuotes, Prec.high(typeOver),
      ...(innerWidth > 800 ? [] : [EditorView.lineWrapping]),
      EditorView.updateListener.of((update) => this.#updated(update)),
      ...(client ? [client.plugin(address(this.#file), 'terrane'), serverCompletion(), hoverTooltips()] : []),
    ];
    this.#view = new EditorView({ doc: text, extensions, parent: this.#root, root: this.#root });
    this.#sync = new TextSync(this.#link, this.#file, this.#view, text);
    this.#sync.addEventListener('change', () => this.#tell());
  }

  // Goes behind the next mistake. Nothing is selected that typing would replace.
  #next() {
    const view = this.#view;
    if (!view) return true;
    nextDiagnostic(view);
    view.dispatch({ selection: { anchor: view.state.selection.main.to }, scrollIntoView: true });
    view.focus();
    return true;
  }

  // Mends the mistakes that have one remedy.
  async #fix() {
    const view = this.#view;
    try {
      this.#client.sync();
      const { doc } = view.state;
      const edits = await allFixes(this.#client, view);
      if (view.state.doc !== doc || !edits.length) { this.#say('nothing was mended: try again'); return; }
      view.dispatch({ changes: edits, userEvent: 'input' });
      view.focus();
    } catch (error) {
      this.#say(error.message);
    }
  }

  #format() {
    if (!this.#view || this.#link.readOnly) return;
    const { errors } = this.#page.state ?? {};
    const first = errors?.find((error) => error.of === this.#file);
    if (first) this.#say(`correct line ${first.line} first: ${plain(first.message)}`);
    else formatDocument(this.#view);
    this.#view.focus();
  }

  #updated(update) {
    if (isUnfinished(update)) setTimeout(() => { if (this.#view) startCompletion(this.#view); });
    if (update.docChanged && update.transactions.some((one) => one.isUserEvent('input'))) this.#note = '';
    const own = update.transactions.some((one) => !one.annotation(fromServer) && (one.docChanged || one.isUserEvent('select')));
    if (!own) return;
    if (update.docChanged) this.#sync?.typed();
    this.#moved = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#showNode(false), PAUSE);
  }

  // Selects the node at the cursor.
  #showNode(focus) {
    if (!this.#view || !(focus || this.#moved)) return;
    const { graph, selected } = this.#page;
    const name = nodeAt(this.#view.state.doc.toString(), this.#view.state.selection.main.head);
    const found = name ? (graph?.nodes ?? []).filter((node) => node.file === this.#file && node.name.split('/').at(-1) === name) : [];
    // A subgraph that is used more than once: the use that is selected already.
    const outer = selected?.node.split('/').slice(0, -1).join('/');
    const node = found.find((one) => one.name.split('/').slice(0, -1).join('/') === outer) ?? found[0];
    // A node that was just typed comes with the next graph.
    this.#moved = Boolean(name) && !node;
    if (node && node.name !== selected?.node) this.#page.choose(node.name);
    if (!focus) return;
    if (node) document.querySelector(`.card[data-node="${CSS.escape(node.name)}"]`)?.focus();
    else this.#say('the cursor is in no node of the graph that is shown');
  }

  // Moves the cursor to the place that was asked for.
  #go() {
    const target = this.#target;
    if (!target || !this.#view) return;
    this.#target = null;
    const { doc } = this.#view.state;
    const line = target.line && doc.line(Math.min(doc.lines, target.line));
    const column = line && [...line.text].slice(0, (target.column ?? 1) - 1).join('').length;
    const range = target.node ? rangeOf(doc.toString(), target.node.split('/').at(-1), target.field) : [line.from + column, line.from + column];
    if (!range) { this.#say(`${this.#file} does not have ${target.node}`); return; }
    clearTimeout(this.#timer);
    this.#moved = false;
    this.#view.dispatch({ selection: { anchor: range[0], head: range[1] }, effects: EditorView.scrollIntoView(range[0], { y: 'center' }) });
    this.#view.focus();
  }

  // Shows another file, for a jump to a definition.
  async #display(file) {
    if (!this.#page.state?.files?.includes(file)) { this.#say(`${file} is not a file of this graph`); return null; }
    if (file !== this.#file) this.#open(file);
    for (let tries = 0; tries < 100 && !this.#view; tries += 1) await new Promise((done) => { setTimeout(done, 30); });
    return this.#view;
  }

  async #rename() {
    const view = this.#view;
    try {
      const old = await nameAt(this.#client, view);
      if (!old) { this.#say('there is no name of a node or a parameter at the cursor'); return; }
      this.#ask(old, `All uses of ${old} are changed, also those in other files of the graph.`, old);
    } catch (error) {
      this.#say(error.message);
    }
  }

  // Asks for a name, again if it is refused.
  #ask(old, words, proposed) {
    const view = this.#view;
    ask('Rename', words, proposed, 'Rename', async (to) => {
      try {
        const left = await rename(this.#client, view, to, (file, edits) => this.#edit(file, edits), this.#page.state?.files ?? []);
        const [uses, is, it] = left.length === 1 ? ['uses', 'is', 'it'] : ['use', 'are', 'them'];
        this.#note = left.length ? `${left.join(' and ')} ${uses} ${old} too, and ${is} no part of this graph: change ${it} by hand` : '';
        this.#tell();
        view.focus();
      } catch (error) {
        this.#ask(old, plain(error.message), to);
      }
    });
  }

  // Changes the text of a file that is not shown.
  async #edit(file, edits) {
    // Both edits are undone together.
    this.#sync.flush();
    const before = await new Promise((done) => { this.#wait.push({ file, done }); this.#link.say({ do: 'read', file }); });
    this.#link.say({ do: 'read', file: this.#file });
    if (before === null) throw new Error(`${file} uses the name too, and cannot be read`);
    const starts = before.split('\n').reduce((all, line) => [...all, all.at(-1) + line.length + 1], [0]);
    const at = ({ line, character }) => starts[line] + character;
    const after = edits.toSorted((a, b) => at(b.range.start) - at(a.range.start)).reduce((text, { range, newText }) => text.slice(0, at(range.start)) + newText + text.slice(at(range.end)), before);
    this.#link.say({ do: 'text', file, before, after, tag: 'rename', with: true });
  }

  #build(element) {
    const host = h('div', { className: 'text-host' });
    const bar = toolbar({
      file: (file) => this.show({ file }),
      next: () => this.#next(),
      fix: () => this.#fix(),
      anyway: () => this.#link.say({ do: 'write', anyway: true }),
      undo: () => { this.#sync?.flush(); this.#page.builder.undo(); },
      write: () => this.#link.say({ do: 'write' }),
      format: () => this.#format(),
      node: () => this.#showNode(true),
      close: () => this.#page.close(),
    });
    const conflict = new ConflictBox(this.#link, { use: (number) => this.#use(number), yield: () => this.#sync.yield(), restore: () => this.#link.say({ do: 'restore', file: this.#file, text: this.#view.state.doc.toString() }) });
    element.append(bar.element, conflict.element, host);
    return { ...bar, conflict, host };
  }

  #say(words) {
    this.#parts.said.textContent = words;
    this.#parts.said.title = words;
  }

  #tell() {
    if (this.#sync?.refused) this.#say(`not taken: ${this.#sync.refused}`);
    else this.#say(this.#link.readOnly ? 'read-only' : this.#sync?.settled ? this.#note : 'sending');
    this.#showConflict();
  }

  #state({ files, steps, mistakes, errors }) {
    this.#parts.fix.hidden = !this.#client || !errors.some((error) => error.fix && error.of === this.#file);
    this.#parts.mistakes.textContent = `${mistakes} ${mistakes === 1 ? 'mistake' : 'mistakes'}`;
    this.#parts.mistakes.hidden = !mistakes;
    this.#parts.anyway.hidden = !mistakes || !steps.some((step) => step.text);
    const names = files?.length ? files : [this.#file].filter(Boolean);
    const key = names.join('\n');
    if (this.#parts.files.dataset.key !== key) {
      this.#parts.files.dataset.key = key;
      this.#parts.files.replaceChildren(...names.map((name) => h('option', { value: name }, name)));
    }
    this.#parts.files.value = this.#file ?? '';
    if (this.#wanted && files?.length) { const wanted = this.#wanted; this.#wanted = null; this.show(wanted); }
    this.#conflict = steps.find((step) => step.text && step.problem) ?? null;
    this.#showConflict();
  }

  #showConflict() {
    this.#parts.conflict.show({ edit: this.#conflict, refused: this.#sync?.refused ?? null, gone: this.#gone && `${this.#file} cannot be read: ${this.#gone}` });
  }

  // Makes an edit that does not fit again, as the newest one: its lines are kept, and all others stay as they are now.
  async #use(number) {
    try {
      this.#sync?.flush();
      const edit = await fetchJson(`edited/${number}`);
      this.#link.say({ do: 'drop', number });
      this.#link.say({ do: 'text', ...edit, tag: 'use', with: true });
    } catch {
      this.#say('the edit\'s text cannot be loaded');
    }
  }
}
