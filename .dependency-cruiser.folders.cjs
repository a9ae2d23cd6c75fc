// Folders must not import each other in a circle. Separate from .dependency-cruiser.cjs because it excludes tests,
// which import whatever they need and would close a circle between any two folders.
const layers = require('./.dependency-cruiser.cjs');

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles-of-folders',
      comment: 'Put what both need into a folder below them, or what needs both into one above.',
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
