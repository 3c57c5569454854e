// The main job, from a file to launch files, and the same numbers as the command line.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { answered, example, open, root, set } from './harness.mjs';

let browser;
before(async () => { browser = await open(); });
after(async () => {
  await browser.close();
  assert.deepEqual(browser.foreign, [], 'requests left the origin');
  assert.deepEqual(browser.errors, [], 'the page reported errors');
});

const sample = `${root}/tests/samples/hf_configs/meta-llama__Llama-2-70b-hf.json`;

/** Gives a file to the page as a drop does. */
async function drop(page, name, text) {
  await page.evaluate(([name, text]) => {
    const data = new DataTransfer();
    data.items.add(new File([text], name));
    for (const type of ['dragenter', 'dragover', 'drop']) {
      const event = new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true });
      document.body.dispatchEvent(event);
    }
  }, [name, text]);
}

test('a config.json becomes launch files', async () => {
  const page = await browser.page();
  assert.match(await answered(page), /Fits/);
  await drop(page, 'llama-2-70b.json', await readFile(sample, 'utf8'));
  await page.waitForFunction(() => document.querySelector('#app .answer-for')?.innerText.includes('llama-2-70b.json'));
  const small = await answered(page);
  const large = await set(page, 'Nodes', 4);
  assert.notEqual(small, large);
  await set(page, 'Speed of a NIC', 100);
  for (const [tab, word] of [
    ['Candidates', /legal layouts/], ['Memory', /Stage/], ['Time', /Matrix products/],
    ['Communication', /All-gather|All-reduce|Send/], ['Platforms', /Starverse/],
  ]) {
    await page.getByRole('tab', { name: tab }).click();
    await page.locator('#drawer-panel').filter({ hasText: word }).waitFor();
  }
  await page.getByRole('tab', { name: 'Launch files' }).click();
  const launcher = page.locator('#drawer-panel select');
  await launcher.waitFor();
  const targets = await launcher.locator('option').evaluateAll((options) => options.map((o) => o.value));
  assert.ok(targets.length >= 3, String(targets));
  for (const target of targets) {
    await launcher.selectOption(target);
    await page.locator('#drawer-panel pre').first().waitFor();
    assert.match(await page.locator('#drawer-panel pre').first().innerText(), /\S/);
  }
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.locator('#drawer-panel').getByRole('button', { name: /zip|all/i }).click(),
  ]);
  assert.match(download.suggestedFilename(), /\.zip$/);
});

test('a chosen config.json becomes the model', async () => {
  const page = await browser.page();
  await answered(page);
  const has = (name) => page.waitForFunction(
    (name) => document.querySelector('#app .answer-for')?.innerText.includes(name), name,
  );
  await page.getByLabel('open a config.json', { exact: true }).and(page.locator('input')).setInputFiles(sample);
  await has('meta-llama__Llama-2-70b-hf.json');
  assert.match(await answered(page), /Fits/);
  await page.getByLabel('Open a project or config.json').and(page.locator('input')).setInputFiles({
    name: 'renamed.json', mimeType: 'application/json', buffer: await readFile(sample),
  });
  await has('renamed.json');
  assert.match(await answered(page), /Fits/);
});

test('a saved project opens again with the same inputs', async () => {
  const page = await browser.page();
  await answered(page);
  await set(page, 'Nodes', 3);
  await set(page, 'Global batch', 96);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save as a file' }).or(page.getByRole('button', { name: /^Save/ })).first().click(),
  ]);
  const text = await readFile(await download.path(), 'utf8');
  assert.match(text, /^meshwright: 1/m);
  const other = await browser.page();
  await answered(other);
  await drop(other, 'again.yaml', text);
  await other.waitForFunction(() => document.querySelector('#app .answer-for')?.innerText.includes('3 ×'));
  assert.equal(await answered(other), await answered(page));
});

test('undo takes back every input, redo brings it again', async () => {
  const page = await browser.page();
  const first = await answered(page);
  const changed = await set(page, 'Nodes', 4);
  assert.notEqual(first, changed);
  await page.locator('body').press('Control+z');
  await page.waitForTimeout(60);
  assert.equal(await answered(page), first);
  await page.locator('body').press('Control+Shift+z');
  await page.waitForTimeout(60);
  assert.equal(await answered(page), changed);
});

test('a long search tells its progress and can be stopped', async () => {
  const page = await browser.page();
  await answered(page);
  await example(page, /DeepSeek/);
  const before = await page.locator('#app .verdict').innerText();
  // The search of 16,384 GPUs ends within a second: press the button as soon as it is there.
  await page.evaluate(() => {
    globalThis.stopped = new Promise((done) => {
      new MutationObserver((_, observer) => {
        const button = document.querySelector('#app .progress button');
        if (!button) return;
        observer.disconnect();
        done(button.parentElement.innerText);
        button.click();
      }).observe(document.body, { subtree: true, childList: true });
    });
  });
  const nodes = page.getByLabel('Nodes', { exact: true }).first();
  await nodes.fill('2048');
  await nodes.press('Enter');
  assert.match(await page.evaluate(() => globalThis.stopped), /of 1\.69 M layouts/);
  await page.locator('#app .progress').filter({ hasText: 'Stopped' }).waitFor();
  assert.equal(await page.locator('#app .verdict').innerText(), before);
  await page.getByRole('button', { name: 'Compute', exact: true }).click();
  await page.waitForFunction(
    (before) => document.querySelector('#app .verdict').innerText !== before,
    before,
    { polling: 50, timeout: 20_000 },
  );
});

for (const [name, file, expected] of [
  [/70B/, 'llama2-70b-2x8-a100', /Fits/],
  [/7B/, 'llama2-7b-8x4090', /Fits/],
  [/DeepSeek/, 'deepseek-v3-256x8-h800', /Fits/],
]) {
  test(`${file}: the page shows the numbers of the command line`, async () => {
    const page = await browser.page();
    await answered(page);
    if (!file.startsWith('llama2-70b')) await example(page, name);
    assert.match(await answered(page), expected);
    const plan = JSON.parse(execFileSync(
      `${root}/target/release/meshwright`, ['plan', `${root}/examples/${file}.yaml`, '--json'],
    ));
    const titles = await page.locator('#app article.answer [title]').evaluateAll(
      (all) => all.map((one) => one.title.replaceAll(',', '')),
    );
    const shown = (value) => {
      const digits = String(Number(value.toPrecision(6)));
      assert.ok(titles.some((title) => title.includes(digits)), `${digits} in ${titles.join(' | ')}`);
    };
    shown(plan.step_time_s.p50);
    shown(plan.mfu_pct);
    shown(plan.peak_memory_gib);
    shown(plan.days.p50);
    if (file.includes('4090')) {
      await page.getByText('no direct path to each other').waitFor();
    }
  });
}
