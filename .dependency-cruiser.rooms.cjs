// Folders may not import each other in a circle. Apart from .dependency-cruiser.cjs, since it looks at no tests: those in a
// folder import whatever they need to run, and would close a circle of any two.
const layers = require('./.dependency-cruiser.cjs');

/** Circles that stand. */
const known = [
  // Lifting a block grants the open appeal, and granting an appeal lifts the block.
  'server/src/console/governance',
  'server/src/console/users',
];

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles-of-folders',
      comment: 'Put what both need into a folder below them, or what needs both into one above.',
      severity: 'error',
      scope: 'folder',
      from: { path: '^server/src/', pathNot: `^(${known.join('|')})$` },
      to: { circular: true },
    },
  ],
  options: {
    ...layers.options,
    exclude: { path: `${layers.options.exclude.path}|\\.test\\.tsx?$|/testing/|^server/test/` },
  },
};
