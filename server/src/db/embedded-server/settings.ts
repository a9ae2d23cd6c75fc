/** Names and values of `postgresql.conf`. */
export type ServerSettings = Readonly<Record<string, string | number>>;

/** What differs from PostgreSQL's defaults, fit for a small machine. Durability is stated even where it is the default. */
export function serverArguments(runDir: string, maxConnections: number, overrides: ServerSettings): string[] {
  const settings: ServerSettings = {
    listen_addresses: '',
    unix_socket_directories: runDir,
    hba_file: `${runDir}/pg_hba.conf`,
    ident_file: `${runDir}/pg_ident.conf`,
    max_connections: maxConnections,
    shared_buffers: '128MB',
    max_wal_size: '1GB',
    wal_compression: 'pglz',
    fsync: 'on',
    full_page_writes: 'on',
    synchronous_commit: 'on',
    // Compiling costs more than it saves on queries of milliseconds.
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_line_prefix: '',
    log_checkpoints: 'off',
    // Statements and details of errors carry the values of rows; the process that sent them reports its errors.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    ...overrides,
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
