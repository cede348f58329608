import { expect, test } from './fixtures';

test("page and plugin use the project's version of React", async ({ workbench, react }) => {
  const versions = await workbench.page.evaluate(async () => {
    const { System } = window as unknown as { System: { import(name: string): Promise<{ version: string }> } };
    return [await System.import('react'), await System.import('react-dom')].map(({ version }) => version.split('.')[0]);
  });
  expect(versions).toEqual([`${react}`, `${react}`]);
});
