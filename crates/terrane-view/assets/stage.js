// The stage shows the selected output as a map, a terrain, numbers or a chart. Old content stays until the new one is loaded.

import { byId, h, number } from './dom.js';
import { Compare } from './compare.js';
import { content, fetchJson } from './link.js';
import { onMap } from './edit/places.js';
import { MapView } from './map.js';
import { showNumbers } from './numbers.js';
import { Scenes } from './scenes.js';

// Changes of a scene that follow each other within so many milliseconds are one.
const PAUSE = 1500;

export class Stage extends EventTarget {
  #map = new MapView(this);
  #terrain = null;
  #abouts = new Map();
  #mode = '2d';
  #about = null;
  #latest = null;
  #chosen = '';
  #port = '';
  #height = null;
  // The content whose numbers are shown or being fetched.
  #numbered = null;
  #retry = false;
  // The last chosen styles of heights (`relief`) and of other maps (`plain`).
  #styles = { relief: { ramp: 'earth', shade: 1, contours: 0 }, plain: { ramp: 'grey', shade: 0, contours: 0 } };
  #view = null;
  #shownScene = '';
  // The last scenes at full size, the latest first, and whether the one before is shown.
  #scenes = [];
  #before = false;
  #changed = 0;
  scenes = new Scenes();

  // Where positions of the world are in what is shown; `null` if they are nowhere.
  get surface() {
    if (this.scenic) return (!byId('scene').hidden && this.#view?.surface) || null;
    return this.#mode === '2d' && this.#about?.face === 'heights' && this.#about.spacing && !byId('map').hidden ? onMap(this.#map, this.#about) : null;
  }

  compare = new Compare(() => this.dispatchEvent(new Event('look')));

  constructor() {
    super();
    for (const id of ['ramp', 'shade', 'contours']) byId(id).addEventListener('change', () => { this.#keep(); this.#refresh(); });
    byId('view-2d').addEventListener('click', () => this.mode('2d'));
    byId('view-3d').addEventListener('click', () => this.mode('3d'));
    byId('view-scene').addEventListener('click', () => this.mode('scene'));
    byId('scene-before').addEventListener('click', () => this.before());
    byId('fit').addEventListener('click', () => this.fit());
    byId('shot').addEventListener('click', () => this.shot());
    byId('divider').addEventListener('input', () => this.#map.divide(byId('divider').value / 1000));
    byId('exaggeration').addEventListener('input', () => { this.#height = 2 ** byId('exaggeration').value; this.#exaggerate(); });
    // Without `src`, a chart that failed to load is requested again.
    byId('chart').addEventListener('error', () => byId('chart').removeAttribute('src'));
    for (const event of ['shown', 'shown3d', 'shownscene', 'detail']) this.addEventListener(event, () => this.#badges());
  }

  // Shows an output. `now` is its node's state, `other` the content to compare it with.
  async show(selected, id, now, other, relief, waits = '') {
    const port = `${selected.node}\n${selected.output}`;
    const before = this.#chosen;
    this.#chosen = port;
    if (!id) {
      // Old content stays only if it belongs to the same output.
      if (before !== port || !this.#latest || waits) this.clear(now?.status === 'failed' ? 'This node failed' : waits || 'Not computed yet');
      return;
    }
    this.#latest = { selected, id, now, other, port, kind: relief ? 'relief' : 'plain' };
    const latest = this.#latest;
    const [about, otherAbout] = await Promise.all([this.#tellAbout(id), other && other !== id ? this.#tellAbout(other) : null]);
    // Newer content has been requested meanwhile, or this content no longer exists.
    if (latest !== this.#latest || !about) return;
    if (this.#port !== port) this.#height = null;
    this.#port = port;
    this.#offer();
    this.#about = about;
    if (!now.coarse) this.compare.note(port, id);
    byId('view-3d').disabled = about.face !== 'heights';
    if (!this.scenic) this.#face(latest, otherAbout);
    this.dispatchEvent(new CustomEvent('about', { detail: about }));
  }

  // Shows a message instead of content.
  clear(words) {
    if (this.scenic) return;
    this.#latest = null;
    this.#about = null;
    this.#blank(words);
  }

  // Marks content that could not be loaded while the server was unavailable, to request it again as soon as the server has it.
  retry() {
    this.#retry = true;
  }

  mode(mode) {
    this.#mode = mode;
    // Other views hide the scene, which is shown again.
    this.#shownScene = '';
    byId('view-2d').setAttribute('aria-pressed', String(mode === '2d'));
    byId('view-3d').setAttribute('aria-pressed', String(mode === '3d'));
    byId('view-scene').setAttribute('aria-pressed', String(mode === 'scene'));
    byId('scene-tools').hidden = mode !== 'scene';
    for (const id of ['ramp-tool', 'shade-tool', 'contours-tool']) byId(id).hidden = mode === 'scene';
    this.dispatchEvent(new Event('look'));
    this.#refresh();
  }

  // Whether a scene is shown, which stays while other nodes are selected.
  get scenic() {
    return this.#mode === 'scene';
  }

  // Shows a scene, once all that it is drawn from is computed.
  async showScene(spec) {
    for (const id of ['fit', 'shot']) byId(id).disabled = false;
    if (spec && !spec.coarse) this.#note(spec);
    if (this.#before && this.#scenes[1]) spec = this.#scenes[1];
    if (spec === undefined) { this.#shownScene = ''; this.#blank('There is no ground to show: add a node with heights, or a Render'); return; }
    if (!spec) { if (!this.#shownScene) this.#blank('The scene is not computed yet'); return; }
    const key = JSON.stringify(spec);
    if (key === this.#shownScene) return;
    this.#shownScene = key;
    try {
      const { SceneView } = await import('./scene/view.js');
      // Another scene, or another view, is wanted by now.
      if (this.#shownScene !== key || !this.scenic) return;
      this.#view ??= new SceneView(this);
      for (const id of ['map', 'terrain', 'scene', 'numbers', 'chart', 'legend', 'scalebar', 'divider', 'empty', 'height-tool', 'compare-tool']) byId(id).hidden = true;
      byId('scene').hidden = false;
      byId('scene-camera').disabled = !spec.node;
      await this.#view.show(spec);
      this.#badges();
    } catch (error) {
      if (this.#shownScene !== key) return;
      this.#shownScene = '';
      if (this.scenic) this.#blank(`Cannot draw the scene: ${error.message}`);
    }
  }

  // Remembers a scene and the one before it, of the same ground and the same node.
  #note(spec) {
    const of = ({ node, port, look: { eye, target, ...look }, tint, lines, selected, ...ids }) => JSON.stringify([ids, look]);
    const [last] = this.#scenes;
    if (last && (last.node !== spec.node || last.port !== spec.port)) this.#scenes = [spec];
    else if (!last) this.#scenes = [spec];
    else if (of(last) !== of(spec)) {
      // While a slider moves, changes follow each other: these are one.
      this.#scenes = performance.now() - this.#changed < PAUSE && this.#scenes.length > 1 ? [spec, this.#scenes[1]] : [spec, last];
      this.#changed = performance.now();
      this.#before = false;
    }
    byId('scene-before').disabled = this.#scenes.length < 2;
    if (this.#scenes.length < 2) this.#before = false;
    byId('scene-before').setAttribute('aria-pressed', String(this.#before));
  }

  // Switches between the scene and the scene before the last change.
  before() {
    this.#before = !this.#before && this.#scenes.length > 1;
    byId('scene-before').setAttribute('aria-pressed', String(this.#before));
    this.showScene(this.#scenes[0]);
  }

  get view() {
    return this.#view;
  }

  fit() {
    if (this.scenic) this.#view?.fit(); else if (this.#solid()) this.#terrain?.fit(); else this.#map.fit();
  }

  zoom(factor) {
    if (this.scenic) this.#view?.zoom(factor); else if (!this.#solid()) this.#map.zoom(factor);
  }

  async shot() {
    if (this.scenic) return this.#view && this.#save(await this.#view.picture(), 'scene');
    // A hidden map shows the content of another output.
    if (!this.#latest || !(this.#solid() ? this.#terrain : this.#flat())) return;
    const blob = await (this.#solid() ? this.#terrain.picture() : this.#map.picture());
    this.#save(blob, this.#latest?.selected.node ?? 'terrane');
  }

  #save(blob, name) {
    const link = h('a', { href: URL.createObjectURL(blob), download: `${name}.png` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  get terrain() {
    return this.#terrain;
  }

  // The content that the map currently shows.
  get shown() {
    return this.#map.id;
  }

  // Whether the terrain of the selected output is currently shown.
  get solid() {
    return this.#solid() && this.#terrain?.id === this.#latest?.id;
  }

  #solid() {
    return this.#mode === '3d' && this.#about?.face === 'heights';
  }

  #flat() {
    return this.#about?.face === 'heights' || this.#about?.face === 'picture';
  }

  #style() {
    return { ...this.#styles[this.#latest.kind] };
  }

  // Saves the settings of the tools as the style of this kind of map.
  #keep() {
    if (!this.#latest) return;
    this.#styles[this.#latest.kind] = { ramp: byId('ramp').value, shade: byId('shade').checked ? 1 : 0, contours: byId('contours').checked ? 1 : 0 };
  }

  #offer() {
    const style = this.#style();
    byId('ramp').value = style.ramp;
    byId('shade').checked = style.shade === 1;
    byId('contours').checked = style.contours === 1;
  }

  #refresh() {
    const { selected, id, now, other, kind } = this.#latest ?? {};
    if (selected) this.show(selected, id, now, other, kind === 'relief');
  }

  // The description of content.
  about(id) {
    return this.#tellAbout(id);
  }

  async #tellAbout(id) {
    const known = this.#abouts.get(id);
    if (known) return known;
    try {
      const about = await fetchJson(content(id, 'about'));
      this.#abouts.set(id, about);
      if (this.#abouts.size > 200) this.#abouts.delete(this.#abouts.keys().next().value);
      return about;
    } catch {
      return null;
    }
  }

  #face({ id, other }, otherAbout) {
    const about = this.#about;
    const flat = this.#flat();
    const solid = this.#solid();
    byId('map').hidden = !flat || solid;
    byId('terrain').hidden = !solid;
    byId('scene').hidden = true;
    byId('numbers').hidden = about.face !== 'numbers';
    byId('chart').hidden = about.face !== 'chart';
    byId('empty').hidden = about.face !== 'nothing';
    byId('empty').textContent = 'This output has no preview';
    byId('height-tool').hidden = !solid;
    byId('compare-tool').hidden = !flat || solid;
    for (const id of ['ramp', 'shade', 'contours']) byId(id).disabled = about.face !== 'heights';
    for (const id of ['fit', 'shot']) byId(id).disabled = !flat;
    const compared = flat && !solid && otherAbout?.size;
    byId('divider').hidden = !compared;
    if (!flat || solid) { byId('readout').textContent = ''; byId('scalebar').hidden = true; }
    if (solid) this.#solidly(id);
    else if (flat) {
      this.#map.show(id, { ...about, relief: this.#latest.kind === 'relief' }, about.face === 'heights' ? this.#style() : {});
      this.#map.compare(compared ? other : null, otherAbout, otherAbout?.face === 'heights' ? this.#style() : {});
      if (this.#retry) this.#map.retry([id, other]);
      this.#retry = false;
    } else if (about.face === 'numbers') this.#number(id);
    else if (about.face === 'chart' && byId('chart').getAttribute('src') !== content(id, 'picture')) byId('chart').src = content(id, 'picture');
    this.#legend();
    this.#badges();
  }

  // Fetches and draws once, however often the state arrives; only the latest content is drawn.
  async #number(id) {
    if (this.#numbered === id) return;
    this.#numbered = id;
    try {
      const numbers = await fetchJson(content(id, 'numbers'));
      if (this.#numbered === id) showNumbers(numbers);
    } catch {
      // The next state triggers another request.
      if (this.#numbered === id) this.#numbered = null;
    }
  }

  async #solidly(id) {
    try {
      const { TerrainView } = await import('./terrain.js');
      if (this.#latest?.id !== id) return;
      if (!this.#terrain) {
        this.#terrain = new TerrainView(this);
        this.#terrain.fit();
      }
      this.#exaggerate();
      await this.#terrain.show(id, this.#about, this.#style());
    } catch (error) {
      // Other content is shown by now, which this error does not concern.
      if (this.#latest?.id !== id) return;
      this.#blank(`Cannot draw the terrain: ${error.message}`);
    }
  }

  #exaggerate() {
    if (!this.#about) return;
    const factor = this.#height ?? this.#about.exaggeration;
    byId('exaggeration').value = Math.log2(factor);
    byId('exaggeration-shown').textContent = `×${number(factor, 3)}`;
    if (this.#terrain && this.#terrain.exaggeration !== factor) this.#terrain.exaggerate(factor);
  }

  #legend() {
    const about = this.#about;
    byId('legend').hidden = about.face !== 'heights' || byId('ramp').value === 'none';
    byId('legend-ramp').className = `ramp-${byId('ramp').value}`;
    byId('legend-low').textContent = number(about.min);
    byId('legend-high').textContent = number(about.max);
  }

  #badges() {
    const { now } = this.#latest ?? {};
    const about = this.#about;
    const words = [];
    if (this.scenic) {
      const spec = this.#shownScene ? JSON.parse(this.#shownScene) : {};
      const words = [spec.coarse ? 'coarse' : '', spec.selected ? `red: ${spec.selected}${this.#view?.tinted ?? ''}` : '', this.#before ? 'before the last change' : '', this.#view?.holes ? `${number(this.#view.holes)} holes, at the lowest height` : ''].filter(Boolean);
      byId('badges').replaceChildren(...words.map((word) => h('span', {}, word)));
      return;
    }
    if (now?.coarse) words.push(`coarse, ${about.size[0]} × ${about.size[1]}`);
    if (this.#solid()) words.push(`mesh ${(this.#terrain?.detail ?? about.mesh).join(' × ')} of ${about.size[0]} × ${about.size[1]}`);
    if (about?.face === 'heights' && byId('contours').checked) words.push(`contours every ${number(about.interval)}`);
    if (about?.face === 'heights' && !this.#solid() && about.exaggeration > 1 && (byId('shade').checked || byId('ramp').value === 'none')) words.push(`relief ×${number(about.exaggeration, 2)}`);
    if (!byId('divider').hidden) words.push(`left: ${byId('compare').selectedOptions[0].textContent}`);
    byId('badges').replaceChildren(...words.map((word) => h('span', {}, word)));
  }

  #blank(words) {
    for (const id of ['map', 'terrain', 'scene', 'numbers', 'chart', 'legend', 'scalebar', 'divider', 'height-tool']) byId(id).hidden = true;
    byId('empty').hidden = false;
    byId('empty').textContent = words;
    byId('badges').replaceChildren();
  }
}
