// What stays: autosave, links, language and theme; any folder of a host.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { answered, open, set } from './harness.mjs';

let browser;
before(async () => { browser = await open({ base: '/tools/meshwright/' }); });
after(async () => {
  await browser.close();
  assert.deepEqual(browser.foreign, []);
  assert.deepEqual(browser.errors, []);
});

test('a reload brings the project back', async () => {
  const page = await browser.page();
  await answered(page);
  const changed = await set(page, 'Nodes', 5);
  await page.getByText('Saved in this browser').waitFor();
  await page.waitForTimeout(600);
  await page.reload();
  await page.waitForFunction(() => document.querySelector('#app .answer-for')?.innerText.includes('5 ×'));
  assert.equal(await answered(page), changed);
});

test('a link opens as a copy with the same answer, in 2,000 characters', async () => {
  const page = await browser.page();
  await answered(page);
  const changed = await set(page, 'Nodes', 6);
  await page.getByRole('button', { name: /Share as a link/ }).click();
  const link = await page.getByRole('textbox', { name: 'Link', exact: true }).inputValue();
  assert.ok(link.length <= 2000, String(link.length));
  const other = await browser.page({ hash: new URL(link).hash });
  await other.waitForFunction(() => document.querySelector('#app .answer-for')?.innerText.includes('6 ×'));
  assert.equal(await answered(other), changed);
});

test('language and theme are kept', async () => {
  const page = await browser.page();
  await answered(page);
  await page.getByRole('button', { name: /中/ }).click();
  await page.getByRole('heading', { name: '结论' }).waitFor();
  await page.reload();
  await answered(page);
  await page.getByRole('heading', { name: '结论' }).waitFor();
  assert.equal(await page.locator('html').getAttribute('lang'), 'zh-CN');
});
