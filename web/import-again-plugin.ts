import type { Plugin } from 'vite';

const dynamicImport = /\bimport\((?<path>(?<quote>["'`])\.\/[\w.-]+\.js\k<quote>)\)/g;

/** Vite plugin that routes lazy imports through `web/src/lib/import-again.ts`. */
export const importAgainPlugin: Plugin = {
  name: 'sluice-import-again',
  apply: 'build',
  generateBundle: {
    // Runs after Vite has read the imports to record the dependencies of each file.
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
