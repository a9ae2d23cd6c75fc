/**
 * Matches variables that the runtime, libraries and the database driver read. Workers receive the configuration in a
 * message instead.
 */
const needed = new RegExp(
  `^(${[
    'PATH|HOME|TMPDIR|TZ|LANG|LC_\\w+|SYSTEMROOT',
    'NODE_(OPTIONS|ENV|DEBUG|COMPILE_CACHE|EXTRA_CA_CERTS|USE_SYSTEM_CA|V8_COVERAGE)',
    'UV_\\w+|LD_\\w+|MALLOC_\\w+|OPENSSL_CONF|SSL_CERT_\\w+|PG\\w+',
  ].join('|')})$`,
  'i',
);

/**
 * Returns the environment of a worker. It contains no secrets except those of the database driver, such as
 * PGPASSWORD, since other processes can read the initial environment even after variables are deleted.
 */
export function workerEnvironment(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => needed.test(name)));
}
