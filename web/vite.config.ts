import react from '@vitejs/plugin-react';
import { defineConfig, type InlineConfig, type Plugin } from 'vite';
import { findChunkGroups } from './chunk-groups.ts';
import { importAgainPlugin } from './import-again-plugin.ts';

const gate = 'http://localhost:8080';

const jsonSchemaModule = /\/zod\/v4\/core\/(json-schema-processors|to-json-schema)\.js$/;

/**
 * Removes zod's conversion to JSON Schema, which every schema refers to but only the server uses. Saves 8 KiB
 * compressed. In the console, `toJSONSchema` throws and bounds such as `minLength` are null.
 */
const withoutJsonSchemaPlugin: Plugin = {
  name: 'sluice-without-json-schema',
  enforce: 'pre',
  apply: 'build',
  transform: {
    filter: { id: jsonSchemaModule },
    handler(code) {
      const names = code.matchAll(/^export (?:function|const) (\w+)/gm).map(([, name]) => name);
      const exported = [...names].map((name) => `export const ${name} = absent;`);
      const message = 'The console is built without conversion to JSON Schema';
      return [`const absent = () => () => { throw new Error('${message}'); };`, ...exported].join('\n');
    },
  },
};

const plain = {
  root: import.meta.dirname,
  plugins: [react(), withoutJsonSchemaPlugin],
  build: {
    target: 'es2023',
    // Minimum browser versions that support light-dark(), which the color tokens use.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    // Inlined assets would be data: URLs, which the content security policy blocks.
    assetsInlineLimit: 0,
    // A single style sheet, so that each page needs one request for styles.
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    manifest: true,
    rolldownOptions: {
      // The contract and the features have no side effects, so each page loads only the parts that it uses.
      treeshake: {
        moduleSideEffects: [{ test: /\/(contract\/src|web\/src\/features)\//, sideEffects: false }],
      },
    },
  },
  server: { proxy: { '/api': gate, '/healthz': gate, '/readyz': gate } },
} satisfies InlineConfig;

export default defineConfig(async ({ command, mode }) => {
  if (command !== 'build') return plain;
  // The groups require an additional build, so they are computed only for production.
  const groups = mode === 'production' ? await findChunkGroups(plain) : [];
  const output = { codeSplitting: { groups } };
  const rolldownOptions = { ...plain.build.rolldownOptions, output };
  const plugins = [...plain.plugins, importAgainPlugin];
  return { ...plain, plugins, build: { ...plain.build, rolldownOptions } };
});
