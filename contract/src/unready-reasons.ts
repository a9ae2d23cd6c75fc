/** Values are the sentences for the `detail` of a 503 from `/readyz`. */
export const unreadyReasons = {
  draining: 'This node is shutting down.',
  not_listening: 'This node has lost its listening socket. Restart it.',
  database_unreachable: 'The database cannot be reached.',
  database_read_only:
    'The database is read-only: it is a standby, or default_transaction_read_only is on. Point DATABASE_URL at the primary.',
  data_folder_full: 'The data folder cannot be written: its disk is full or broken. Free disk space.',
  journal_full:
    'The journal is full: nothing has been written to the database for a long time. See the log for the reason.',
  journal_unshipped:
    'Requests have been waiting for more than 30 seconds to be written to the database. See the log for the reason.',
} as const;

export type UnreadyReason = keyof typeof unreadyReasons;
