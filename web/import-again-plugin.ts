import type { Plugin } from 'vite';

const dynamicImport = /\bimport\((?<path>(?<quote>["'`])\.\/[\w.-]+\.js\k<quote>)\)/g;

/** Has the files that are loaded on first use come through `web/src/lib/import-again.ts`. */
export const importAgainPlugin: Plugin = {
  name: 'sluice-import-again',
  apply: 'build',
  generateBundle: {
    // After Vite has written down what each file needs, which it finds by these very imports.
    order: 'post',
    handler(_, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type === 'chunk') file.code = importAgain(file.code);
      }
    },
  },
};

export const importAgain = (code: string): string =>
  code.replaceAll(dynamicImport, 'globalThis.sluiceImport($<path>,a=>import(a))');
