import { expect, it } from 'vitest';
import { importAgain } from './import-again-plugin.ts';

it('importAgain routes each import of a build file through the retry function', () => {
  expect(importAgain('a(()=>import(`./x-1.js`).then(e=>e.t),d([0]));b(()=>import("./y.js"))')).toBe(
    'a(()=>globalThis.sluiceImport(`./x-1.js`,a=>import(a)).then(e=>e.t),d([0]));b(()=>globalThis.sluiceImport("./y.js",a=>import(a)))',
  );
});

it('importAgain leaves other code unchanged', () => {
  const code = 'import{a}from"./x.js";import(address);reimport("./x.js");import("https://js.stripe.com/v3")';
  expect(importAgain(code)).toBe(code);
});
