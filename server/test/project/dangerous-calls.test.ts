import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');

interface Source {
  readonly path: string;
  readonly text: string;
}

/** Excludes tests and modules that only tests import. */
function readSources(...folders: string[]): Source[] {
  return globSync(
    folders.map((folder) => `${folder}/**/*.{ts,tsx}`),
    { cwd: root },
  )
    .filter((path) => !/\.test\.|\/testing\/|\/fixtures\//.test(path))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

const server = readSources('server/src', 'contract/src');
const web = readSources('web/src', 'contract/src');
const everything = [...server, ...web];

const filesWith = (sources: readonly Source[], pattern: RegExp) => [
  ...new Set(sources.filter(({ text }) => pattern.test(text)).map(({ path }) => path)),
];

const argumentsOf = (sources: readonly Source[], names: string) =>
  sources.flatMap(({ path, text }) =>
    [...text.matchAll(new RegExp(`\\b(?:${names})\\(\\s*([^,()]+)`, 'g'))].map(
      ([, argument]) => `${argument} in ${path}`,
    ),
  );

describe('shipped code', () => {
  it('the checks of shipped code read more than 500 server files and 200 web files', () => {
    expect(server.length).toBeGreaterThan(500);
    expect(web.length).toBeGreaterThan(200);
  });

  const runsText = /\beval\(|\bnew Function\b|['"](?:node:)?vm['"]|\bset(?:Timeout|Interval)\(\s*['"`]/;
  it('shipped code never evaluates text as code', () => {
    expect(filesWith(everything, runsText)).toEqual([]);
    for (const text of ['eval(x)', 'new Function(x)', "from 'node:vm'", "setTimeout('x')"])
      expect(text).toMatch(runsText);
  });

  const runsShell =
    /\bshell: (?:true|['"`])|\bexecSync\(|import \{[^}]*\bexec(?:Sync)?\b[^}]*\} from 'node:child_process'/;
  it('shipped code starts programs by path and argument list, never by a shell', () => {
    expect(filesWith(server, runsShell)).toEqual([]);
    for (const text of ["import { exec } from 'node:child_process'", "execSync('ls')", '{ shell: true }'])
      expect(text).toMatch(runsShell);
  });

  const writesMarkup =
    /\b(?:inner|outer)HTML\b|insertAdjacentHTML|dangerouslySetInnerHTML|document\.write|srcdoc|createContextualFragment/i;
  it('shipped code writes no markup into a page', () => {
    expect(filesWith(web, writesMarkup)).toEqual([]);
    for (const text of ['node.innerHTML = x', '<p dangerouslySetInnerHTML={x} />'])
      expect(text).toMatch(writesMarkup);
  });

  it('shipped code uses no session cookies, no WebSockets and no postMessage', () => {
    // A cookie binds a redirected sign-in to its browser. The cookie opens no session.
    const byRedirect = ['server/src/console/sign-ins/by-redirect.ts'];
    expect(filesWith(server, /['"]set-cookie['"]|\.cookie\b/i)).toEqual(byRedirect);
    expect(
      filesWith(
        web,
        /document\.cookie|cookieStore|\bnew WebSocket\b|window\.postMessage|EventListener\('message'/,
      ),
    ).toEqual([]);
  });

  it('shipped code does not prevent pasting or filling in a password', () => {
    // The chat accepts pasted images.
    expect(filesWith(web, /onPaste|addEventListener\('paste'/)).toEqual([
      'web/src/features/chats/composer.tsx',
    ]);
    const fields = web.flatMap(({ text }) => text.match(/<PasswordField\b[\s\S]*?\/>/g) ?? []);
    expect(fields.length).toBeGreaterThan(12);
    expect(fields.filter((field) => !field.includes('autoComplete='))).toEqual([]);
  });

  it('shipped code never disables certificate validation', () => {
    expect(
      filesWith(server, /rejectUnauthorized|NODE_TLS_REJECT|checkServerIdentity|minVersion|secureProtocol/),
    ).toEqual([]);
  });
});

/** Files that may use `Math.random`, for the jitter of delays. */
const waitsAtRandom: readonly string[] = [
  'server/src/gateway/provider-call/call-target.ts',
  'server/src/jobs/start-jobs.ts',
  'server/src/shipper/shipper.ts',
];

describe('cryptography in shipped code', () => {
  it('shipped code hashes only with SHA-256, except codes of authenticator apps', () => {
    const found = argumentsOf(everything, 'createHash|createHmac|hkdfSync');
    expect(found.length).toBeGreaterThan(10);
    // Most authenticator apps support only HMAC-SHA-1 (RFC 6238), whose strength does not depend on collisions.
    const ofAuthenticatorApps = "'sha1' in server/src/domain/totp.ts";
    expect(found.filter((one) => !one.startsWith("'sha256' ") && one !== ofAuthenticatorApps)).toEqual([]);
    expect(argumentsOf([{ path: 'x', text: "createHash('md5')" }], 'createHash')).toEqual(["'md5' in x"]);
  });

  it('shipped code encrypts only with AES-256-GCM', () => {
    const found = argumentsOf(everything, 'createCipheriv|createDecipheriv');
    // Secrets and bodies in object storage are encrypted and decrypted. An import decrypts the secrets of another
    // gateway.
    expect(found).toHaveLength(5);
    expect(found.filter((one) => !one.startsWith("'aes-256-gcm' "))).toEqual([]);
    expect(
      filesWith(everything, /\bcreateCipher\(|\bpublicEncrypt\(|\bprivateDecrypt\(|crypto\.subtle/),
    ).toEqual([]);
  });

  it('shipped code uses Math.random only in the listed files, for random delays', () => {
    expect(filesWith(everything, /Math\.random\(/).toSorted()).toEqual(waitsAtRandom);
  });
});

/** Matches SQL concatenated from strings. Everywhere else, `sql` and `$1` pass values separately. */
const joined = /(?:\.query|\.execute)(?:<[^(]*>)?\(\s*(?:`[^`]*\$\{|\[)|sql\.raw\(\s*(?:[^\s'`]|`[^`]*\$\{)/;

/**
 * Files whose SQL contains only our own tables, numbers and ids, and the actor, which `escapeLiteral` quotes. Adding
 * a file asserts that no caller input reaches its SQL.
 */
const joinsOwnWords: readonly string[] = [
  'server/src/db/backup/empty-database.ts',
  'server/src/db/backup/guards.ts',
  'server/src/db/backup/restore-backup.ts',
  'server/src/db/delete-in-batches.ts',
  'server/src/db/embedded-server/start-embedded-server.ts',
  'server/src/db/log-moves/move-state.ts',
  'server/src/db/log-moves/postgres-side.ts',
  'server/src/db/log-partitions/day-indexes.ts',
  'server/src/db/log-partitions/day-partition.ts',
  'server/src/db/log-partitions/drop-day.ts',
  'server/src/db/log-partitions/keep-log-partitions.ts',
  'server/src/db/log-partitions/move-strays.ts',
  'server/src/db/system.ts',
  'server/src/db/tenant.ts',
  'server/src/gateway/allowance/expired-nodes.ts',
  'server/src/gateway/snapshot/listen-for-changes.ts',
  'server/src/request-log/postgres/replays.ts',
];

it('SQL is concatenated only in the listed files', () => {
  expect(filesWith(server, joined).toSorted()).toEqual(joinsOwnWords);
  for (const text of [
    `sql.raw(\`SELECT \${word}\`)`,
    'sql.raw(word)',
    `client.query<Row>(\`SELECT \${word}\`)`,
  ])
    expect(text).toMatch(joined);
  expect(`tx.execute(sql\`SELECT \${word}\`), client.query('SELECT $1', [word])`).not.toMatch(joined);
});
