import { expect, it } from 'vitest';
import { createImportAgain } from './import-again.ts';

it('createImportAgain uses a new URL after each failure, and keeps the URL that succeeded', async () => {
  const importAgain = createImportAgain();
  const asked: string[] = [];
  const ask = (isThere: boolean) =>
    importAgain('./dialog.js', async (address) => {
      asked.push(address);
      if (!isThere) throw new Error('offline');
      return address;
    });
  await expect(ask(false)).rejects.toThrow('offline');
  await expect(ask(false)).rejects.toThrow('offline');
  expect(await ask(true)).toBe('./dialog.js?again=2');
  expect(await ask(true)).toBe('./dialog.js?again=2');
  await importAgain('./other.js', async (address) => asked.push(address));
  expect(asked).toEqual([
    './dialog.js',
    './dialog.js?again=1',
    './dialog.js?again=2',
    './dialog.js?again=2',
    './other.js',
  ]);
});
