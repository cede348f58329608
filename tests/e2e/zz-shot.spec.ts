import { test } from './support/test';

test.use({ viewport: { width: 1280, height: 900 } });
for (const [name, range, currency] of [
  ['october', { from: '2026-10-01T00:00:00.000Z', to: '2026-10-31T23:59:59.999Z' }, 'BRL'],
  ['last30', { from: 'now-30d', to: 'now' }, ''],
] as const) {
  test(name, async ({ createSource, page }) => {
    const { uid } = await createSource({ jsonData: { currency } });
    await page.goto(`/d/insights-business-value?${new URLSearchParams({ ...range, 'var-datasource': uid })}`);
    await page.waitForTimeout(12_000);
    await page.screenshot({ path: `/tmp/m-${name}.png` });
    await page.setViewportSize({ width: 1280, height: 2300 });
    await page.waitForTimeout(5_000);
    await page.screenshot({ path: `/tmp/m-${name}-all.png` });
  });
}
