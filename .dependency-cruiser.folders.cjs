// Folders must not import each other in a cycle. Separate from .dependency-cruiser.cjs because it excludes
// tests: their imports would create a cycle between any two folders.
const layers = require('./.dependency-cruiser.cjs');

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles-of-folders',
      comment: 'Move the shared code to a folder below both, or the code that uses both to a folder above.',
      severity: 'error',
      scope: 'folder',
      from: { path: '^server/src/' },
      to: { circular: true },
    },
  ],
  options: {
    ...layers.options,
    exclude: { path: `${layers.options.exclude.path}|\\.test\\.tsx?$|/testing/|^server/test/` },
  },
};
