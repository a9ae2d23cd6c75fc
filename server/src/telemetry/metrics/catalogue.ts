interface MetricDefinition {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels: readonly string[];
  /** Aggregation over the processes of a node. Defaults to the sum. */
  readonly aggregator?: 'max' | 'min';
}

/**
 * Metrics of `/metrics`. Names contain the unit, if any, and names of counters end with `_total`. Labels are bounded:
 * they never contain a user, a key, a request or user input. docs/TELEMETRY.md has the same list.
 */
export const metricCatalogue = {
  sluice_requests_total: {
    type: 'counter',
    help: 'Completed requests, including rejected ones',
    labels: ['protocol', 'operation', 'provider', 'status_class'],
  },
  sluice_request_errors_total: {
    type: 'counter',
    help: 'Failed requests by error code; client_closed if the client disconnected',
    labels: ['provider', 'code'],
  },
  sluice_refusals_total: {
    type: 'counter',
    help: 'Requests rejected by a rule, by error code',
    labels: ['code'],
  },
  sluice_shed_requests_total: {
    type: 'counter',
    help: 'Requests rejected without being read because the worker was overloaded',
    labels: [],
  },
  sluice_request_duration_seconds: {
    type: 'histogram',
    help: 'Time from receipt of a request to the end of its response',
    labels: ['protocol', 'provider', 'stream'],
  },
  sluice_first_byte_seconds: {
    type: 'histogram',
    help: 'Time from receipt of a request to the first byte of its response',
    labels: ['protocol', 'provider', 'stream'],
  },
  sluice_gate_overhead_seconds: {
    type: 'histogram',
    help: 'Time from receipt of a request to the first call to a provider',
    labels: [],
  },
  sluice_tokens_total: {
    type: 'counter',
    help: 'Tokens used: input, cache_read, cache_write, output',
    labels: ['provider', 'model', 'kind'],
  },
  sluice_cost_usd_total: {
    type: 'counter',
    help: 'Cost of requests in dollars, including the markup of service-managed providers',
    labels: ['provider', 'model'],
  },
  sluice_provider_calls_total: {
    type: 'counter',
    help: 'Calls to providers, including retries and fallbacks, by outcome: answered or the error code',
    labels: ['provider', 'outcome'],
  },
  sluice_provider_call_duration_seconds: {
    type: 'histogram',
    help: 'Time from a call to a provider to the first byte of its response or its failure',
    labels: ['provider'],
  },
  sluice_requests_in_flight: { type: 'gauge', help: 'Requests in flight', labels: [] },
  sluice_circuits_open: {
    type: 'gauge',
    help: 'Circuits of models that are not closed, counted once per worker',
    labels: ['provider'],
  },
  sluice_journal_backlog_bytes: {
    type: 'gauge',
    help: 'Bytes in the journals on disk that are not yet in the database',
    labels: [],
  },
  sluice_journal_backlog_age_seconds: {
    type: 'gauge',
    help: 'Longest time since a journal was last fully shipped',
    labels: [],
    aggregator: 'max',
  },
  sluice_log_store_up: {
    type: 'gauge',
    help: 'Whether ClickHouse responded to the last query of a shipper; absent if PostgreSQL keeps the request log',
    labels: [],
    aggregator: 'min',
  },
  sluice_degraded_workers: {
    type: 'gauge',
    help: 'Workers that serve from leases and memory because the database is unreachable or read-only',
    labels: [],
  },
  sluice_database_up: {
    type: 'gauge',
    help: '1 if the database responds to this scrape, otherwise 0',
    labels: [],
  },
  sluice_database_pool_connections: {
    type: 'gauge',
    help: 'Database connections by pool: busy or idle, and callers waiting for one',
    labels: ['pool', 'state'],
  },
  sluice_replica_workers: {
    type: 'gauge',
    help: 'Workers by the state of the read replica: in_use, or starting, behind, away or refused while the primary is read',
    labels: ['state'],
  },
  sluice_replica_lag_seconds: {
    type: 'gauge',
    help: 'Time since which the read replica lacks changes of the primary; absent if unknown',
    labels: [],
    aggregator: 'max',
  },
  sluice_replica_reads_total: {
    type: 'counter',
    help: 'Read-only transactions of lists and reports, by outcome: replica if read there; otherwise the reason for reading the primary: not_replayed, unavailable or failed',
    labels: ['outcome'],
  },
  sluice_event_loop_delay_seconds: {
    type: 'histogram',
    help: 'Event loop delay by process kind, measured with a timer that is due every 200 ms',
    labels: ['process'],
  },
  sluice_ledger_drift_tenants: {
    type: 'gauge',
    help: 'Tenants whose balance differs from the last entry of their ledger',
    labels: [],
  },
  sluice_allowance_drift: {
    type: 'gauge',
    help: 'Limits whose leased amount differs from what the nodes hold',
    labels: [],
  },
  sluice_lost_nodes: {
    type: 'gauge',
    help: 'Workers lost in the last 24 hours with unshipped requests',
    labels: [],
  },
  sluice_mails_waiting: { type: 'gauge', help: 'Emails that wait to be sent', labels: [] },
  sluice_job_last_success_seconds: {
    type: 'gauge',
    help: 'Unix time of the last successful run of a job',
    labels: ['job_name'],
  },
  sluice_job_interval_seconds: {
    type: 'gauge',
    help: 'Time between two scheduled runs of a job',
    labels: ['job_name'],
  },
  sluice_backup_last_success_seconds: {
    type: 'gauge',
    help: 'Unix time of the last file written by sluice backup; absent before the first backup',
    labels: [],
  },
  sluice_data_folder_free_bytes: {
    type: 'gauge',
    help: 'Free space on the volume of the data folder',
    labels: [],
  },
  sluice_job_failures_total: { type: 'counter', help: 'Failed runs of a job', labels: ['job_name'] },
  sluice_workers: {
    type: 'gauge',
    help: 'Workers that responded to this scrape: ready or not_ready',
    labels: ['state'],
  },
  sluice_process_exits_total: {
    type: 'counter',
    help: 'Workers and shippers that exited and were replaced',
    labels: ['process'],
  },
  sluice_telemetry_dropped_total: {
    type: 'counter',
    help: 'Spans or alerts dropped because their queue was full or the receiver did not accept them',
    labels: ['signal'],
  },
  sluice_build_info: {
    type: 'gauge',
    help: 'Always 1; the labels contain the running version',
    labels: ['version', 'node'],
    aggregator: 'max',
  },
  sluice_process_cpu_seconds_total: {
    type: 'counter',
    help: 'CPU time by process kind',
    labels: ['process', 'mode'],
  },
  sluice_process_resident_memory_bytes: {
    type: 'gauge',
    help: 'Resident memory by process kind',
    labels: ['process'],
  },
  sluice_process_heap_used_bytes: {
    type: 'gauge',
    help: 'Used JavaScript heap by process kind',
    labels: ['process'],
  },
  sluice_process_start_time_seconds: {
    type: 'gauge',
    help: 'Unix time at which the newest process of a kind started',
    labels: ['process'],
    aggregator: 'max',
  },
} as const satisfies Record<string, MetricDefinition>;

export type MetricName = keyof typeof metricCatalogue;

/** A histogram has several values, distinguished by `metricName`. */
export interface MetricValue {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
  readonly metricName?: string;
}

/** Plain data, so that metrics can be sent to another process. */
export type Metrics = Partial<Record<MetricName, readonly MetricValue[]>>;
