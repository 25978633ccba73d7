// The text of the graph in the page. Run by `cargo xtask browser`.

import assert from 'node:assert/strict';
import { done, open, until, viewer } from './view.mjs';

const GRAPH = `Graph(
    size: (33, 33),
    spacing: 8.0,
    nodes: {
        // Kept.
        "hills": Perlin(wavelength: 100.0, amplitude: 40.0),
        "worn": ThermalErosion(height: "hills", iterations: 2),
        "sum": Combine(a: "worn", b: "hills"),
    },
    outputs: {
        "sum.png": "sum",
    },
)
`;
const MAC = process.platform === 'darwin';
const MOD = MAC ? 'Meta' : 'Control';

const view = viewer(GRAPH);

const text = (page) => page.evaluate(() => window.terrane.text.pane?.view?.state.doc.toString() ?? null);
const shows = (page, expected) => until(page, (words) => window.terrane.text.pane?.view?.state.doc.toString() === words, expected);
const has = (page, expected) => until(page, (words) => window.terrane.text.pane?.view?.state.doc.toString().includes(words), expected);
const settled = (page) => until(page, () => document.querySelector('.text-said')?.textContent === '');

// Opens the text, and waits until the language service answers.
async function begin(page) {
  await page.keyboard.press('t');
  await until(page, () => window.terrane.text.pane?.view);
}

// Puts the cursor behind the first place of some words.
async function cursor(page, words, offset = words.length) {
  await page.evaluate(([what, by]) => {
    const { view: editor } = window.terrane.text.pane;
    const at = editor.state.doc.toString().indexOf(what) + by;
    editor.dispatch({ selection: { anchor: at }, scrollIntoView: true, userEvent: 'select' });
    editor.focus();
  }, [words, offset]);
}

const selected = (page, node) => until(page, (name) => document.querySelector('.card.selected')?.dataset.node === name, node);
const node = (page, name) => until(page, (one) => window.terrane.graph.nodes.some((other) => other.name === one), name);

view('the editor is loaded when the text is first opened', async ({ page }) => {
  const loaded = () => page.evaluate(() => performance.getEntriesByType('resource').filter(({ name }) => /codemirror|text\/pane/.test(name)).length);
  assert.equal(await loaded(), 0);
  await begin(page);
  assert.ok(await loaded() >= 2);
  await shows(page, GRAPH);
  await page.reload();
  await done(page);
  await shows(page, GRAPH);
  await page.click('.textbar button:has-text("Close")');
  await page.reload();
  await done(page);
  assert.equal(await text(page), null, 'a closed pane stays closed');
});

view('completion by keyboard inserts a wire that fits', async ({ page }) => {
  await begin(page);
  await cursor(page, 'iterations: 2),');
  await page.keyboard.type('\n"soft": Blur(height: "', { delay: 15 });
  await page.locator('.cm-tooltip-autocomplete li', { hasText: 'worn' }).first().waitFor();
  await page.keyboard.type('wo', { delay: 40 });
  await page.locator('.cm-tooltip-autocomplete li[aria-selected]', { hasText: 'worn' }).waitFor();
  await page.waitForTimeout(150);
  await page.keyboard.press('Enter');
  await has(page, '"soft": Blur(height: "worn")');
  // The cursor has left the quotes.
  await page.keyboard.type(', radius: 3.0');
  await has(page, '"soft": Blur(height: "worn", radius: 3.0)');
  await cursor(page, '"soft": Blur(height: "worn", radius: 3.0)');
  await page.keyboard.type(',');
  await node(page, 'soft');
});

view('an explanation is shown, and mistakes are marked and lead to their place', async ({ page }) => {
  await begin(page);
  await page.locator('.cm-line span', { hasText: 'ThermalErosion' }).first().hover();
  await page.locator('.cm-lsp-hover-tooltip', { hasText: /erosion/i }).waitFor();
  await cursor(page, 'iterations');
  await page.keyboard.type('s');
  await page.locator('.cm-lintRange-error').first().waitFor();
  await page.locator('#errors button').first().waitFor();
  // The picture stays.
  assert.equal(await page.evaluate(() => window.terrane.graph.nodes.length), 3);
  await cursor(page, 'Graph(');
  await page.locator('#errors button').first().click();
  const line = () => page.evaluate(() => { const { state } = window.terrane.text.pane.view; return state.doc.lineAt(state.selection.main.head).text; });
  await until(page, () => { const { state } = window.terrane.text.pane.view; return state.doc.lineAt(state.selection.main.head).text.includes('iterationss'); });
  assert.match(await line(), /iterationss: 2/);
  await page.keyboard.press(`${MOD}+z`);
  await shows(page, GRAPH);
  await until(page, () => window.terrane.state.mistakes === 0);
});

view('a rename changes all uses, also in another file', async ({ page, preview }) => {
  await begin(page);
  await cursor(page, '"hi');
  await page.keyboard.press('F2');
  await page.locator('#ask input').fill('mounds');
  await page.locator('#ask .primary').click();
  await shows(page, GRAPH.replaceAll('"hills"', '"mounds"'));
  await node(page, 'mounds');
  await page.keyboard.press(`${MOD}+s`);
  await until(page, () => /^wrote/.test(document.querySelector('#notice').textContent));
  assert.equal(await preview.text(), GRAPH.replaceAll('"hills"', '"mounds"'));
});

view('a node, a wire and a picture lead to the text, and the cursor to the node', async ({ page }) => {
  const at = (words) => until(page, (what) => { const { state } = window.terrane.text.pane?.view ?? {}; return state && state.sliceDoc(state.selection.main.from, state.selection.main.to).startsWith(what); }, words);
  await page.locator('.card[data-node="worn"]').dblclick();
  await at('"worn"');
  await page.locator('.card[data-node="sum"]').click();
  await page.locator('.text-jump').first().click();
  await at('a: "worn"');
  await page.click('#stage-text');
  await at('"sum"');
  await cursor(page, 'wavelength');
  await selected(page, 'hills');
  await cursor(page, '"worn": Thermal');
  await selected(page, 'worn');
  await page.keyboard.press(`${MOD}+Enter`);
  assert.equal(await page.evaluate(() => document.activeElement?.dataset?.node), 'worn');
  await page.keyboard.press('o');
  await at('"worn"');
});

view('typing and the mouse are undone and redone in one order', async ({ page }) => {
  await begin(page);
  const typed = GRAPH.replace('// Kept.', '// Kept. Typed.');
  await cursor(page, '// Kept.');
  await page.keyboard.type(' Typed.');
  await settled(page);
  await page.locator('.card[data-node="worn"]').click();
  await page.evaluate(() => window.terrane.link.say({ do: 'set', node: 'worn', parameter: 'iterations', value: 5 }));
  const valued = typed.replace('iterations: 2', 'iterations: 5');
  await shows(page, valued);
  const again = valued.replace('// Kept. Typed.', '// Kept. Typed. Again.');
  await cursor(page, '// Kept. Typed.');
  await page.keyboard.type(' Again.');
  await settled(page);
  await shows(page, again);
  for (const expected of [valued, typed, GRAPH]) { await page.keyboard.press(`${MOD}+z`); await shows(page, expected); }
  for (const expected of [typed, valued, again]) { await page.keyboard.press(`${MOD}+y`); await shows(page, expected); }
  await page.click('#undo');
  await shows(page, valued);
});

view('two pages see each other type, and the newest line stays', async ({ page, preview, browser }) => {
  const other = await open(browser, preview);
  await begin(page);
  await begin(other);
  await cursor(page, '// Kept.');
  await cursor(other, 'spacing: 8.0,');
  await Promise.all([page.keyboard.type(' One page.', { delay: 30 }), other.keyboard.type(' // Other page.', { delay: 30 })]);
  const both = GRAPH.replace('// Kept.', '// Kept. One page.').replace('spacing: 8.0,', 'spacing: 8.0, // Other page.');
  await shows(page, both);
  await shows(other, both);
  // Both change one line, neither of which knows the other's change.
  await cursor(page, 'amplitude: 4');
  await cursor(other, 'amplitude: 4');
  await Promise.all([page.keyboard.type('1'), other.keyboard.type('2')]);
  await until(page, () => window.terrane.state.history.undo?.startsWith('edit the text'));
  await settled(page);
  await settled(other);
  const now = await text(page);
  await shows(other, now);
  assert.match(now, /amplitude: 4(10|20|120|210)\.0/);
  // A value may be asked for when its node has another one already.
  for (const one of [page, other]) one.complaints = one.complaints.filter((words) => !/404.*(about|thumbnail)/.test(words));
  assert.deepEqual(other.complaints, []);
  await other.context().close();
});

view('a file that an editor saves while the page types is merged, and a conflict offers both texts', async ({ page, preview }) => {
  await begin(page);
  await cursor(page, '// Kept.');
  await page.keyboard.type(' Typed', { delay: 20 });
  await preview.save(GRAPH.replace('spacing: 8.0', 'spacing: 4.0'));
  await page.keyboard.type(' here.', { delay: 20 });
  await shows(page, GRAPH.replace('spacing: 8.0', 'spacing: 4.0').replace('// Kept.', '// Kept. Typed here.'));
  const at = () => page.evaluate(() => { const { state } = window.terrane.text.pane.view; return state.sliceDoc(0, state.selection.main.head).split('\n').at(-1); });
  assert.equal((await at()).trim(), '// Kept. Typed here.', 'the cursor stays');
  await settled(page);
  await preview.save(GRAPH.replace('// Kept.', '// Saved.'));
  await page.locator('.text-conflict', { hasText: 'was changed in the file and by this edit' }).waitFor();
  await shows(page, GRAPH.replace('// Kept.', '// Saved.'));
  await page.click('.text-conflict button:has-text("Use the edit")');
  await has(page, '// Kept. Typed here.');
  await page.locator('.text-conflict').waitFor({ state: 'hidden' });
  await page.click('#write');
  await until(page, () => /^wrote/.test(document.querySelector('#notice').textContent));
  assert.match(await preview.text(), /Kept\. Typed here\./);
});

view('the text of a subgraph is shown and edited in the same pane', async ({ page, preview }) => {
  await node(page, 'part/x');
  await page.evaluate(() => window.terrane.text.show({ file: 'graph.ron', node: 'part' }));
  await has(page, 'Subgraph');
  await cursor(page, 'Subgraph(file: "pa');
  await page.waitForTimeout(400);
  await page.keyboard.press('F12');
  await has(page, '"x": Constant');
  assert.equal(await page.locator('.textbar select').inputValue(), 'part.ron');
  await cursor(page, '"x": Const');
  await selected(page, 'part/x');
  await cursor(page, 'value: 1');
  await page.keyboard.type('2');
  await settled(page);
  await page.keyboard.press(`${MOD}+s`);
  await until(page, () => /^wrote/.test(document.querySelector('#notice').textContent));
  assert.match(await preview.text('part.ron'), /value: 12\.0/);
}, { text: 'Graph(\n    size: (9, 9),\n    nodes: {\n        "part": Subgraph(file: "part.ron"),\n    },\n)\n', files: { 'part.ron': 'Graph(nodes: {\n    "x": Constant(value: 1.0),\n})\n' } });

view('with --read-only, the text is shown, explained and not edited', async ({ page, preview }) => {
  await begin(page);
  await cursor(page, '// Kept.');
  await page.keyboard.type('x');
  await page.keyboard.press(`${MOD}+z`);
  await shows(page, GRAPH);
  await page.locator('.cm-line span', { hasText: 'ThermalErosion' }).first().hover();
  await page.locator('.cm-lsp-hover-tooltip', { hasText: /erosion/i }).waitFor();
  await cursor(page, '"worn": Ther');
  await selected(page, 'worn');
  assert.equal(await preview.text(), GRAPH);
}, { flags: ['--read-only'] });

view('on a phone, the text covers the page until it is closed', async ({ page }) => {
  await page.locator('#text-open').click();
  await until(page, () => window.terrane.text.pane?.view);
  const box = await page.locator('#text').boundingBox();
  assert.deepEqual([box.x, box.y, box.width, box.height], [0, 0, 390, 844]);
  await page.click('.textbar button:has-text("Close")');
  await page.locator('#text').waitFor({ state: 'hidden' });
}, { page: { viewport: { width: 390, height: 844 } } });

view('an editor and the page show nodes to each other', async ({ page, preview }) => {
  const said = [];
  preview.child.stdout.on('data', (data) => said.push(...String(data).split('\n').filter(Boolean)));
  const event = async (name) => {
    for (let tries = 0; tries < 300; tries += 1) {
      const found = said.map((line) => { try { return JSON.parse(line); } catch { return {}; } }).find((one) => one.event === name);
      if (found) return found;
      await page.waitForTimeout(50);
    }
    throw new Error(`no event ${name}`);
  };
  preview.child.stdin.write('{"show": "hills"}\n');
  await selected(page, 'hills');
  preview.child.stdin.write('{"show": "none"}\n');
  assert.equal((await event('refused')).message, 'the graph has no node `none`');
  await page.locator('.card[data-node="worn"]').click();
  await page.click('.place button:has-text("Show in editor")');
  const { file, line, column } = await event('source');
  assert.ok(file.endsWith('graph.ron'), file);
  assert.deepEqual([line, column], [7, 10]);
}, { flags: ['--json', '--editor'] });
