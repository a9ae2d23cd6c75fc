/** Names and values of `postgresql.conf`. */
export type ServerSettings = Readonly<Record<string, string | number>>;

/**
 * Returns the settings that differ from PostgreSQL's defaults, sized for a small machine. Durability is always set
 * explicitly.
 */
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
    // Statements and error details contain row values; the process that sent them reports its errors.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    ...overrides,
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
