/** What the runtime, its libraries and the database's driver read; the configuration comes to workers by message. */
const needed = new RegExp(
  `^(${[
    'PATH|HOME|TMPDIR|TZ|LANG|LC_\\w+|SYSTEMROOT',
    'NODE_(OPTIONS|ENV|DEBUG|COMPILE_CACHE|EXTRA_CA_CERTS|USE_SYSTEM_CA|V8_COVERAGE)',
    'UV_\\w+|LD_\\w+|MALLOC_\\w+|OPENSSL_CONF|SSL_CERT_\\w+|PG\\w+',
  ].join('|')})$`,
  'i',
);

/**
 * The environment of a worker: no secret but what the database's driver may need, such as PGPASSWORD. It can be read
 * from outside as long as the process lives, also what has been deleted from it, so it is never given.
 */
export function workerEnvironment(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => needed.test(name)));
}
