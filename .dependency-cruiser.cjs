// Allowed imports between folders. Each rule is a pattern, so that it covers new folders as soon as they exist.
const only = (name, from, allowed, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from, pathNot: '\\.test\\.tsx?$|/testing/' },
  to: { path: '^(contract|server|web|sandbox|bench|e2e)/', pathNot: allowed },
});

// Core modules are matched without the prefix node:, except those that exist only with it.
const ioModules =
  '^(node:)?(fs|net|https?|http2|tls|dns|child_process|cluster|worker_threads|dgram|sqlite)(/|$)|node_modules/(undici|pg|fastify|drizzle-orm|pino)/';
const pure = (name, folder) => ({
  name: `${name}-is-pure`,
  comment: `${folder} holds rules without I/O: pass what it needs as an argument.`,
  severity: 'error',
  from: { path: `^${folder}/`, pathNot: '\\.test\\.ts$' },
  to: { path: ioModules },
});

/**
 * Features of the web application that other features may import, lowest level first. A feature imports only features
 * of lower levels, through their index.ts. All other features are screens: they may import these, and no feature
 * imports them.
 */
const featureLevels = [
  [
    'access-setup',
    'api-keys',
    'appeals',
    'budgets',
    'forecast',
    'governance',
    'labels',
    'management-tokens',
    'outbox',
    'provider-registry',
    'roles',
    'scim-tokens',
    'second-factor',
    'signed-in-tools',
  ],
  ['invitations', 'tenants'],
  ['users'],
];
const importLowerFeatures = (name, from, levelsBelow) => {
  const lower = levelsBelow.flat().join('|') || 'none';
  return {
    name,
    comment:
      'Move the part to a lower level of featureLevels, or export it from the index.ts of its feature.',
    severity: 'error',
    from,
    to: {
      path: '^web/src/features/',
      pathNot: `^web/src/features/$1/|^web/src/features/(${lower})/index\\.ts$`,
    },
  };
};
const featureRules = [
  ...featureLevels.map((features, level) =>
    importLowerFeatures(
      `features-of-level-${level + 1}-import-lower-features`,
      { path: `^web/src/features/(${features.join('|')})/` },
      featureLevels.slice(0, level),
    ),
  ),
  importLowerFeatures(
    'screens-import-lower-features',
    {
      path: '^web/src/features/([^/]+)/',
      pathNot: `^web/src/features/(${featureLevels.flat().join('|')})/`,
    },
    featureLevels,
  ),
];

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    only(
      'contract-imports-nothing-of-ours',
      '^contract/',
      '^contract/',
      'The contract is shared by all folders, so it imports none of them.',
    ),
    only(
      'web-imports-only-contract',
      '^web/',
      '^(web|contract)/',
      'The browser bundle must not pull in the server.',
    ),
    only(
      'sandbox-stands-alone',
      '^sandbox/',
      '^sandbox/',
      'The sandbox is an independent oracle; it shares no code with what it tests.',
    ),
    only(
      'domain-is-inner',
      '^server/src/domain/',
      '^(contract/|server/src/domain/)',
      'Domain rules import only the contract.',
    ),
    only(
      'intent-is-inner',
      '^server/src/intent/',
      '^(contract/|server/src/intent/)',
      'The classifier imports only the contract.',
    ),
    only(
      'protocols-are-inner',
      '^server/src/protocols/',
      '^(contract/|server/src/(protocols|json)/|server/src/platform/steps\\.ts$)',
      'Codecs import only the contract, JSON and each other; paced work may run them in steps.',
    ),
    only(
      'json-is-inner',
      '^server/src/json/',
      '^server/src/(json/|platform/steps\\.ts$)',
      'The JSON folder works on bytes and must not depend on the product.',
    ),
    pure('domain', 'server/src/domain'),
    pure('intent', 'server/src/intent'),
    pure('json', 'server/src/json'),
    pure('protocols', 'server/src/protocols'),
    {
      name: 'gateway-does-not-import-console',
      severity: 'error',
      from: { path: '^server/src/gateway/', pathNot: '\\.test\\.ts$' },
      to: { path: '^server/src/console/' },
    },
    {
      name: 'console-does-not-import-gateway',
      comment: 'Chats and comparisons call the gateway through its one exported function.',
      severity: 'error',
      from: { path: '^server/src/console/', pathNot: '\\.test\\.ts$' },
      to: { path: '^server/src/gateway/', pathNot: '^server/src/gateway/gateway\\.ts$' },
    },
    {
      name: 'the-shipper-is-a-process-of-its-own',
      comment: 'The shipper reads what the gateway has written to the journal; nothing calls it.',
      severity: 'error',
      from: { path: '^server/src/', pathNot: '^server/src/shipper/|\\.test\\.ts$' },
      to: { path: '^server/src/shipper/' },
    },
    {
      name: 'a-noun-keeps-its-store',
      comment: 'A console noun uses another noun through its verbs, never its store.',
      severity: 'error',
      from: { path: '^server/src/console/([^/]+)/', pathNot: '\\.test\\.ts$' },
      to: { path: '^server/src/console/[^/]+/store\\.ts$', pathNot: '^server/src/console/$1/' },
    },
    {
      name: 'only-http-knows-the-web-framework',
      severity: 'error',
      from: { path: '^server/src/', pathNot: '^server/src/http/' },
      to: { path: 'node_modules/(fastify|@fastify)/' },
    },
    {
      name: 'only-programs-see-everything',
      comment: 'Only the worker and the product wire components together: nothing else imports them.',
      severity: 'error',
      from: { path: '^server/src/([^/]+)/', pathNot: '\\.test\\.ts$' },
      to: { path: '^server/src/(worker|product)/', pathNot: '^server/src/$1/' },
    },
    {
      name: 'system-database-is-for-few',
      comment:
        'Only these may use the client that crosses tenants: login, second factor, signup, invitations, mail, money, jobs, start, the registry of vendors, the list of tenants, SCIM tokens.',
      severity: 'error',
      from: {
        path: '^server/src/',
        pathNot:
          '^server/src/(worker/|body-store/|log-export/|shipper/|console/across-tenants\\.ts|cli/|configuration-file/|db/|jobs/|mail/|master-key/|payments/|retry-queue/|console/(auth|second-factor|sign-in-tickets|signup|password-resets|invitations|first-run|credits|billing|payments|payment-methods|subscriptions|webhooks|provider-registry|system|jobs|tenants|scim-tokens|sign-ins|signed-in-tools|domains)/)|\\.test\\.ts$',
      },
      to: { path: '^server/src/db/system\\.ts$' },
    },
    ...featureRules,
    {
      name: 'programs-are-not-imported',
      comment: 'Importing a program runs it: move shared code to a file of its own.',
      severity: 'error',
      from: {},
      to: {
        path: '^(server/src/(cli|product|shipper|worker)/main|sandbox/src/main|(training|bench|proofs)/src/run|server/demo/run)\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-unresolved',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|node_modules/\\.cache)/' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.js'],
    },
  },
};
