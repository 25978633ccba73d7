// Nothing that was typed in the text is lost: restarts, conflicts, deleted files, texts with mistakes, several files.

import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { done, until, viewer } from './view.mjs';

const GRAPH = `Graph(
    size: (33, 33),
    spacing: 8.0,
    nodes: {
        // Kept.
        "hills": Perlin(wavelength: 100.0, amplitude: 40.0),
        "worn": ThermalErosion(height: "hills", iterations: 2),
    },
    outputs: {
        "worn.png": "worn",
    },
)
`;
const MOD = process.platform === 'darwin' ? 'Meta' : 'Control';
const view = viewer(GRAPH);

const text = (page) => page.evaluate(() => window.terrane.text.pane?.view?.state.doc.toString() ?? null);
const has = (page, expected) => until(page, (words) => window.terrane.text.pane?.view?.state.doc.toString().includes(words), expected);
const settled = (page) => until(page, () => document.querySelector('.text-said')?.textContent === '');
const wrote = (page) => until(page, () => /^wrote/.test(document.querySelector('#notice').textContent));

async function begin(page) {
  await page.keyboard.press('t');
  await until(page, () => window.terrane.text.pane?.view);
}

// Inserts a text behind the first place of some words, as if it was typed.
async function type(page, words, typed) {
  await page.evaluate(([what, insert]) => {
    const { view: editor } = window.terrane.text.pane;
    const at = editor.state.doc.toString().indexOf(what) + what.length;
    editor.dispatch({ changes: { from: at, insert }, selection: { anchor: at + insert.length }, userEvent: 'input.type' });
    editor.focus();
  }, [words, typed]);
}

view('a long edit that is not written is sent again after a restart', async ({ page, preview }) => {
  await begin(page);
  const long = Array.from({ length: 300 }, (_, line) => `\n        // Line ${line}: ${'-'.repeat(50)}`).join('');
  await type(page, '// Kept.', long);
  await settled(page);
  await page.waitForTimeout(2000);
  await preview.stop();
  await until(page, () => document.body.classList.contains('lost'));
  await preview.run();
  await until(page, () => !document.body.classList.contains('lost'));
  await has(page, long);
  await until(page, () => window.terrane.state.steps.length === 1);
  await page.click('#write');
  await wrote(page);
  assert.ok((await preview.text()).includes(long));
});

view('an edit that is chosen in a conflict keeps later edits of other lines', async ({ page, preview }) => {
  await begin(page);
  await type(page, 'iterations: 2', '1');
  await settled(page);
  await preview.save(GRAPH.replace('iterations: 2', 'iterations: 5'));
  await page.locator('.text-conflict', { hasText: 'line 7 of graph.ron' }).waitFor();
  await type(page, '"worn.png": "worn",', ' // Later.');
  await until(page, () => window.terrane.state.steps.length === 2);
  await page.click('.text-conflict button:has-text("Use the edit")');
  await has(page, 'iterations: 21');
  await has(page, '// Later.');
  await page.locator('.text-conflict').waitFor({ state: 'hidden' });
  await page.click('#write');
  await wrote(page);
  assert.equal(await preview.text(), GRAPH.replace('iterations: 2', 'iterations: 21').replace('"worn",', '"worn", // Later.'));
});

view('the text of a file that is deleted stays, and is written again', async ({ page, preview }) => {
  await begin(page);
  await type(page, '// Kept.', ' Typed.');
  await settled(page);
  await rm(preview.file);
  await page.locator('.text-conflict', { hasText: 'Its text is kept here' }).waitFor();
  await type(page, 'Typed.', ' Also typed.');
  assert.equal(await page.locator('#start').isVisible(), false);
  await page.click('.text-conflict button:has-text("Write it again")');
  await wrote(page);
  assert.equal(await preview.text(), GRAPH.replace('// Kept.', '// Kept. Typed. Also typed.'));
  await page.locator('.text-conflict').waitFor({ state: 'hidden' });
  await until(page, () => window.terrane.state.steps.length === 0);
});

view('a text with mistakes is written if that is asked for, and Ctrl+S works everywhere', async ({ page, preview }) => {
  await begin(page);
  await type(page, 'iterations', 's');
  await until(page, () => window.terrane.state.mistakes === 1);
  await page.locator('#stage-text').focus();
  await page.keyboard.press(`${MOD}+s`);
  await until(page, () => /nothing was written/.test(document.querySelector('#notice').textContent));
  assert.equal(await preview.text(), GRAPH);
  await page.click('.textbar button:has-text("Write anyway")');
  await wrote(page);
  const wrong = GRAPH.replace('iterations', 'iterationss');
  assert.equal(await preview.text(), wrong);
  await page.click('.textbar button:has-text("Format")');
  await until(page, () => /correct line 7 first/.test(document.querySelector('.text-said').textContent));
  assert.equal(await text(page), wrong);
});

const PART = 'Graph(nodes: {\n    "x": Constant(value: 1.0),\n}, outputs: { "x.npy": "x" })\n';
const USER = 'Graph(\n    size: (9, 9),\n    nodes: {\n        "part": Subgraph(file: "part.ron"),\n        "soft": Blur(height: "part/x"),\n    },\n    outputs: { "soft.npy": "soft" },\n)\n';
view('a rename in two files is undone at once, and other graphs that use the name are told of', async ({ page, preview }) => {
  await page.evaluate(() => window.terrane.text.show({ file: 'part.ron' }));
  await has(page, '"x": Constant');
  await type(page, '"x', '');
  await page.waitForTimeout(500);
  await page.keyboard.press('F2');
  await page.locator('#ask input').fill('level');
  await page.locator('#ask .primary').click();
  await has(page, '"level": Constant');
  await until(page, () => window.terrane.graph.nodes.some((node) => node.name === 'part/level') && window.terrane.state.mistakes === 0);
  await until(page, () => /other\.ron uses x too/.test(document.querySelector('.text-said').textContent));
  await page.keyboard.press(`${MOD}+z`);
  await has(page, '"x": Constant');
  await until(page, () => window.terrane.state.steps.length === 0 && window.terrane.graph.nodes.some((node) => node.name === 'part/x'));
  assert.equal(await preview.text('part.ron'), PART);
}, { text: USER, files: { 'part.ron': PART, 'other.ron': USER } });

view('warnings of the text are listed, and lead to their place', async ({ page }) => {
  await done(page);
  await page.locator('#problems summary', { hasText: '1 warning' }).click();
  await page.locator('#problems li', { hasText: 'no output needs spare' }).locator('button', { hasText: 'graph.ron:3' }).click();
  await has(page, '"spare"');
  await type(page, 'outputs: { ', '"spare.npy": "spare", ');
  await page.locator('#problems').waitFor({ state: 'hidden' });
}, { text: 'Graph(size: (9, 9), nodes: {\n    "a": Perlin(),\n    "spare": Blur(height: "a"),\n}, outputs: { "a.npy": "a" })\n' });
