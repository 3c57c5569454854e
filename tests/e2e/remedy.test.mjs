// A job that does not fit lists the changes that make it fit; applying one does, and is undone
// in one step.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { answered, open, root } from './harness.mjs';

const words = {
  'en-US': { open: 'Open a project or config.json', no: /^Does not fit/, yes: /^Fits/, apply: /^Apply /, undo: /^Undo/ },
  'zh-CN': { open: '打开项目或 config.json', no: /^放不下/, yes: /^放得下/, apply: /^应用：/, undo: /^撤销/ },
};

let browser;
before(async () => { browser = await open(); });
after(() => browser.close());

for (const [locale, said] of Object.entries(words)) {
  test(`each listed change makes the job fit, ${locale}`, async () => {
    const page = await browser.page({ locale });
    await answered(page);
    const example = await readFile(`${root}examples/llama2-70b-2x8-a100.yaml`, 'utf8');
    const small = example.replace('nodes: 2', 'nodes: 1').replace('host_memory_gib: 2048', 'host_memory_gib: 128');
    await page.getByLabel(said.open).and(page.locator('input')).setInputFiles({
      name: 'small.yaml', mimeType: 'text/yaml', buffer: Buffer.from(small),
    });
    const verdict = page.locator('#app .verdict [role=status]');
    const becomes = async (wanted) => {
      await page.waitForFunction(
        (source) => new RegExp(source).test(document.querySelector('#app .verdict [role=status]')?.innerText),
        wanted.source, { timeout: 20_000 },
      );
      assert.match(await verdict.innerText(), wanted);
    };
    await becomes(said.no);
    const buttons = page.getByRole('button', { name: said.apply });
    const count = await buttons.count();
    assert.ok(count >= 2, `${count} changes`);
    for (let index = 0; index < count; index += 1) {
      await buttons.nth(index).click();
      await becomes(said.yes);
      await page.getByRole('button', { name: said.undo }).first().click();
      await becomes(said.no);
    }
    assert.deepEqual(browser.errors, []);
    await page.context().close();
  });
}
