/**
 * Variables that the runtime, libraries and the database driver read; workers receive the configuration in a message.
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
 * Returns the environment of a worker, without secrets except those of the database driver, such as PGPASSWORD. Other
 * processes can read the initial environment even after variables are deleted, so secrets are never passed.
 */
export function workerEnvironment(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => needed.test(name)));
}
