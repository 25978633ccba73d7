// The page: passes the server's messages to the views, and the user's choices to the server.

import { ask } from './build/ask.js';
import { AtOnce } from './build/atonce.js';
import { Binder } from './build/binder.js';
import { Builder } from './build/builder.js';
import { Finder } from './build/finder.js';
import { HeaderFields } from './build/header.js';
import { rename } from './build/nodebar.js';
import { showProblems } from './build/problems.js';
import { StartView } from './build/start.js';
import { backdrop, heights } from './backdrop.js';
import { byId, plain, seconds } from './dom.js';
import { Places } from './edit/places.js';
import { showErrors } from './errors.js';
import { GraphView } from './graph.js';
import { GraphParams } from './graphparams.js';
import { Inspector } from './inspector.js';
import { Keeper } from './keeper.js';
import { listen } from './keys.js';
import { Link } from './link.js';
import { panes } from './panes.js';
import { Stage } from './stage.js';
import { TextPaneLoader } from './text.js';
import { Unwritten } from './unwritten.js';

const link = new Link();
const builder = new Builder(link);
const finder = new Finder(builder, range);
const start = new StartView(link);
const graphView = new GraphView(builder, (place) => finder.open(place));
const stage = new Stage();
const inspector = new Inspector(link, choose, { builder, binder: new Binder(builder), find: (place) => finder.open(place), group, first, jump });
const graphParams = new GraphParams(link, choose, byId('graph-parameters'), builder);
const places = new Places(link);
const header = new HeaderFields(link, byId('header-fields'));
const keeper = new Keeper(link);
const atOnce = new AtOnce(link);
const text = new TextPaneLoader({
  link, builder, choose: (node) => choose(node, faced(node)),
  get graph() { return graph; }, get state() { return state; }, get selected() { return selected; }, get place() { return placeOf({ node: selected?.node }); },
});
const unwritten = new Unwritten(link, byId('unwritten'));
let graph = null;
let state = null;
let selected = fromAddress();
// Whether the graph was sent by the current run of the server.
let fresh = false;
// A message from the page, not from the server.
let told = '';
// How often an editor has wanted a node to be seen.
let wanted = null;

link.addEventListener('up', () => { document.body.classList.remove('lost'); stage.retry(); tellStatus(); });
link.addEventListener('down', () => { document.body.classList.add('lost'); tellStatus(); });
link.addEventListener('hello', ({ detail }) => { fresh = false; keeper.hello(detail); start.hello(detail); });
link.addEventListener('graph', ({ detail }) => {
  graph = detail;
  fresh = true;
  document.title = `${graph.title} · Terrane`;
  byId('title').textContent = graph.title;
  builder.show(graph);
  if (!graph.nodes.some((node) => node.name === selected?.node)) selected = firstChoice();
  if (selected) selected = within(selected);
  graphView.show(graph);
  graphView.select(selected?.node);
  stage.compare.list(graph);
  stage.scenes.list(graph);
  stage.scenes.select(selected);
  inspector.show(graph, selected?.node, selected?.output);
  if (!selected) stage.clear(builder.able ? 'The graph has no nodes: add the first one with the key /' : 'The graph has no nodes');
  graphParams.show(graph);
  header.show(graph);
  if (state) builder.state(state);
  look();
});
link.addEventListener('state', ({ detail }) => {
  state = detail;
  const sent = fresh ? keeper.state(state) : 0;
  if (sent) told = `terrane view was restarted; ${sent} unwritten ${sent === 1 ? 'change was' : 'changes were'} sent again`;
  start.show(state, text.hasText);
  showErrors(state, graph, (target) => text.show(target));
  tellStatus();
  builder.state(state);
  atOnce.state(state);
  if (!graph || graph.revision !== state.revision) return;
  showProblems(graph, state, choose, (place) => text.show(place));
  graphView.update(state);
  show();
  const [count, node] = state.show;
  if (wanted !== null && count > wanted && builder.node(node)) choose(node, faced(node));
  wanted = count;
});
graphView.addEventListener('text', ({ detail }) => jump(detail));
byId('stage-text').addEventListener('click', () => jump({ node: (stage.scenic && stage.scenes.spec(state)?.node) || selected?.node }));
graphView.addEventListener('choose', ({ detail }) => choose(detail, faced(detail)));
stage.addEventListener('look', () => { look(); show(); });
stage.scenes.addEventListener('change', () => { look(); show(); });
byId('scene-camera').addEventListener('click', useCamera);
stage.addEventListener('about', ({ detail }) => { if (!backdrop(graph, selected)) inspector.facts(detail); showPlaces(); });
stage.addEventListener('painted', () => places.draw());
stage.addEventListener('shownscene', showPlaces);

builder.addEventListener('turn', ({ detail }) => atOnce.turn(detail));
builder.addEventListener('made', ({ detail }) => choose(detail, faced(detail)));
byId('undo').addEventListener('click', () => { told = ''; builder.undo(); });
byId('redo').addEventListener('click', () => { told = ''; builder.redo(); });
byId('graph-add').addEventListener('click', add);
byId('write').addEventListener('click', write);
byId('discard').addEventListener('click', () => { told = ''; link.say({ do: 'discard' }); });
addEventListener('hashchange', () => {
  const next = fromAddress();
  if (!next) return;
  // Without a graph, the selection is only recorded.
  if (!graph) { selected = next; return; }
  if (!graph.nodes.some((node) => node.name === next.node)) return;
  const { node, output } = within(next);
  if (node !== selected?.node || output !== selected?.output) choose(node, output);
});
addEventListener('beforeunload', (event) => { if (text.isUnsent) event.preventDefault(); });
listen({
  write,
  move(direction) {
    const next = graphView.neighbour(selected?.node, direction);
    if (next) choose(next, 0);
  },
  mode: (mode) => stage.mode(mode),
  fit: () => stage.fit(),
  zoom: (factor) => stage.zoom(factor),
  shot: () => stage.shot(),
  add,
  copy: () => edit({ edit: 'copy', node: selected?.node }),
  bypass: () => edit({ edit: 'bypass', node: selected?.node }),
  remove: () => edit({ edit: 'delete', nodes: chosen() }),
  rename: () => rename(builder, builder.node(selected?.node)),
  group,
  find: () => { byId('node-words').focus(); byId('node-words').select(); },
  full: () => byId('full').click(),
  text: () => text.toggle(),
  source: () => jump({ node: selected?.node }),
  undo: () => builder.undo(),
  redo: () => builder.redo(),
  compare() {
    if (stage.scenic) return stage.before();
    byId('compare').value = byId('compare').value ? '' : 'previous';
    byId('compare').dispatchEvent(new Event('change'));
  },
});
panes();
findNode();
text.restore();

// Where a node, or one of its fields, is in a text.
function placeOf({ node: name, field }) {
  const node = builder.node(name);
  return node?.file ? { file: node.file, node: name, field } : null;
}

// Shows a node or one of its fields in the text.
function jump(target) {
  const place = placeOf(target);
  if (place) text.show(place);
}

// The first output of a node that can be shown.
function faced(node) {
  return Math.max(0, builder.type(node)?.outputs.findIndex((output) => output.kind !== 'subdivision') ?? 0);
}

// Shows a refusal over the view for some seconds.
let refused = null;
function toast(notice) {
  const words = notice && !/^(wrote|undone|redone|there are no|there is nothing)/.test(notice) ? plain(notice) : null;
  if (words === refused) return;
  refused = words;
  byId('toast').textContent = words ?? '';
  byId('toast').hidden = !words;
  if (words) setTimeout(() => { if (refused === words) byId('toast').hidden = true; }, 9000);
}

// Writes the changes; what was typed in the text belongs to them.
function write() {
  told = '';
  if (!link.readOnly) link.say({ do: 'write' });
}

// Adds a node after the selected one.
function add() {
  finder.open(selected ? { from: [selected.node, selected.output] } : {});
}

function edit(what) {
  if (selected) builder.edit(what);
}

// The marked nodes and the selected one.
function chosen() {
  return [...new Set([...graphView.marked, ...(selected ? [selected.node] : [])])];
}

// Moves the marked nodes and the selected one to a new file.
function group() {
  const nodes = chosen();
  if (!nodes.length || !builder.able) return;
  ask('Group', `Moves ${nodes.join(', ')} to a new file beside the graph, which is named after the group.`, 'part', 'Group', (name) => builder.edit({ edit: 'group', nodes, name }));
}

function choose(node, output) {
  selected = { node, output };
  stage.scenes.select(selected);
  history.replaceState(null, '', `#${encodeURIComponent(node)}${output ? `.${output}` : ''}`);
  graphView.select(node);
  inspector.show(graph, node, output);
  look();
  show();
}

function fromAddress() {
  const match = /^#(.+?)(?:\.(\d+))?$/.exec(location.hash);
  if (!match) return null;
  try {
    return { node: decodeURIComponent(match[1]), output: Number(match[2] ?? 0) };
  } catch {
    // The address is not validly encoded, such as `#50%`, so it names no node.
    return null;
  }
}

// The selection with an output that the node has: its type may have changed.
function within({ node, output }) {
  const { outputs } = graph.types[graph.nodes.find((other) => other.name === node).type];
  return { node, output: Math.max(0, Math.min(output, outputs.length - 1)) };
}

// The first output file with heights; otherwise the first one with a map, the last output, or the last node.
function firstChoice() {
  const spec = ({ node, output }) => graph.types[graph.nodes[node].type].outputs[output];
  const maps = graph.outputs.filter((output) => spec(output).kind === 'map');
  const best = maps.find((output) => spec(output).relief) ?? maps[0] ?? graph.outputs.at(-1);
  if (best) return { node: graph.nodes[best.node].name, output: best.output };
  return graph.nodes.length ? { node: graph.nodes.at(-1).name, output: 0 } : null;
}

// Selects the node whose name is typed or chosen.
function findNode() {
  const field = byId('node-words');
  const take = (exact) => {
    const words = field.value.trim().toLowerCase();
    const names = graph?.nodes.map((node) => node.name) ?? [];
    const found = names.find((name) => name.toLowerCase() === words) ?? (exact ? null : names.find((name) => words && name.toLowerCase().includes(words)));
    if (found) { choose(found, 0); if (!exact) field.blur(); }
  };
  field.addEventListener('input', () => take(true));
  field.addEventListener('keydown', (event) => { if (event.key === 'Enter') take(false); });
}

// Sends the list of shown outputs to the server, which keeps their values.
function look() {
  if (!selected) return;
  // A scene is drawn here from what it reads, without its picture.
  const ports = stage.scenic && stage.scenes.draws(selected.node) ? [] : [[selected.node, selected.output]];
  const ground = graph && backdrop(graph, selected);
  if (ground) ports.push(ground);
  if (stage.scenic) ports.push(...Object.values(stage.scenes.roles ?? {}).filter(Boolean));
  if (stage.compare.port) ports.push(stage.compare.port);
  link.say({ do: 'look', ports });
}

function show() {
  if (!graph || !state || !selected || graph.revision !== state.revision) return;
  const now = state.nodes[graph.nodes.findIndex((node) => node.name === selected.node)];
  if (!now) return;
  inspector.update(now, state.changes);
  graphParams.update(state.changes);
  header.update(state.changes);
  showRanges();
  const ground = backdrop(graph, selected);
  if (ground && !stage.scenic) return showOn(ground);
  const port = `${selected.node}\n${selected.output}`;
  const type = graph.types[graph.nodes.find((node) => node.name === selected.node).type];
  const relief = type.outputs[selected.output]?.relief ?? true;
  const node = builder.node(selected.node);
  const waits = node?.open.length ? `${node.name} needs ${node.open.join(' and ')}: connect ${node.open.length === 1 ? 'it' : 'them'}` : node?.lacks ? plain(node.lacks) : node?.waits ? `${node.name} waits for a node that is not connected` : '';
  stage.show(selected, waits ? null : now.ids[selected.output], now, stage.compare.id(port, graph, state), relief, waits);
  if (stage.scenic) stage.showScene(stage.scenes.spec(state));
  showPlaces();
}

// Shows the map on which the positions of the selected node are.
function showOn([node, output]) {
  const at = graph.nodes.findIndex((other) => other.name === node);
  stage.show({ node, output }, state.nodes[at]?.ids[output], state.nodes[at], stage.compare.id(`${node}\n${output}`, graph, state), true);
}

function showPlaces() {
  const node = builder.node(selected?.node);
  places.show(node, builder.type(selected?.node), stage.surface, state?.changes ?? []);
}

// The ranges of sliders follow from the ground that the node reads.
async function showRanges() {
  const of = selected?.node;
  const found = heights(graph, of);
  const id = found && state.nodes[found[0]]?.ids[found[1]];
  const about = id && await stage.about(id);
  if (about && selected?.node === of) inspector.ranges(about);
}

// The minimum and the maximum of an output with heights, as far as they are known.
async function range([name, output]) {
  const found = builder.type(name)?.outputs[output];
  if (found?.kind !== 'map' || !found.relief) return null;
  const id = state?.nodes[graph.nodes.findIndex((node) => node.name === name)]?.ids[output];
  const about = id && await stage.about(id);
  return about?.spacing ? [about.min, about.max] : null;
}

// The first value of a position that is set: the camera that is seen, or the middle of the map. A camera needs both of its ends.
function first(node, parameter, map) {
  const camera = stage.scenic && stage.scenes.spec(state)?.node === node ? stage.view?.pose : null;
  const middle = map ? map.sides.map((side, axis) => map.origin[axis] + side / 2) : [0, 0];
  const far = map?.sides[1] ?? 1;
  const ends = camera ?? { eye: [middle[0], middle[1] + far, far / 2], target: [...middle, 0] };
  const spec = builder.type(node)?.params.find((param) => param.name === parameter);
  if (!(parameter in ends)) return spec?.item?.items?.length === 2 ? middle : null;
  const other = parameter === 'eye' ? 'target' : 'eye';
  const index = builder.type(node).params.findIndex((param) => param.name === other);
  if (builder.node(node).params[index]?.value === null) link.say({ do: 'set', node, parameter: other, value: ends[other] });
  return ends[parameter];
}

// Sets the camera of the scene in its node, as changes to write.
function useCamera() {
  const node = stage.scenic && stage.scenes.spec(state)?.node;
  if (!node) return;
  Object.entries(stage.view.pose).forEach(([parameter, value], index) => link.say({ do: 'set', node, parameter, value, with: index > 0 }));
}

function tellStatus() {
  const bar = byId('status');
  if (document.body.classList.contains('lost')) { bar.textContent = 'Connection to terrane view lost; reconnecting'; bar.dataset.phase = 'lost'; return; }
  if (!state) { bar.textContent = 'Reading the graph'; return; }
  const nodes = state.nodes.filter((node) => node.status !== 'planned' && node.status !== 'running').length;
  const failed = state.nodes.filter((node) => node.status === 'failed').length;
  const words = {
    waiting: state.missing ? 'A new graph' : 'Waiting for a graph without errors',
    running: `${state.coarse ? 'Coarse first: ' : ''}${nodes} of ${state.nodes.length} nodes`,
    done: failed ? `${failed} of ${state.nodes.length} nodes failed` : `${state.nodes.length} ${state.nodes.length === 1 ? 'node' : 'nodes'}, ${seconds(state.took)}`,
  };
  bar.textContent = state.missing ? words.waiting : state.mistakes ? `${state.mistakes} ${state.mistakes === 1 ? 'mistake' : 'mistakes'}` : words[state.phase];
  bar.dataset.phase = state.missing ? 'waiting' : state.mistakes || (failed && state.phase === 'done') ? 'broken' : state.phase;
  const warning = state.warnings.at(-1);
  byId('notice').textContent = plain(state.notice || told || (warning ? `Warning: ${warning}` : ''));
  toast(state.notice);
  byId('notice').title = byId('notice').textContent;
  const { changes, steps, history } = state;
  const count = changes.length + steps.length;
  byId('write').title = [...steps.map((step) => step.said), ...changes.map((change) => change.home)].join('\n');
  byId('changes').hidden = count === 0;
  unwritten.show(changes, steps);
  byId('changes-count').textContent = `${count} unwritten ${count === 1 ? 'change' : 'changes'}`;
  for (const [id, said] of [['undo', history?.undo], ['redo', history?.redo]]) {
    byId(id).disabled = !said;
    byId(id).title = said ? `${byId(id).textContent}: ${said}` : '';
  }
}

// For tests and debugging.
window.terrane = { stage, link, text, get state() { return state; }, get graph() { return graph; } };
