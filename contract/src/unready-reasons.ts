/** Reasons why `/readyz` returns 503, with the sentence for its `detail`. */
export const unreadyReasons = {
  draining: 'This node is shutting down.',
  not_listening: 'This node has lost its listening socket. Restart it.',
  database_unreachable: 'The database cannot be reached.',
  database_read_only:
    'The database takes no writes: it is a standby, or default_transaction_read_only is on. Point DATABASE_URL at the primary.',
  data_folder_full: 'Nothing can be written to the data folder: its disk is full or broken. Make room.',
  journal_full: 'The journal is full: nothing has reached the database for long. See the log for the reason.',
  journal_unshipped:
    'Requests wait for longer than 30 seconds to be written to the database. See the log for the reason.',
} as const;

export type UnreadyReason = keyof typeof unreadyReasons;
