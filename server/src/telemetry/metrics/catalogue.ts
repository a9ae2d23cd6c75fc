/** Definition of a metric, and how to aggregate the values of several processes. */
interface MetricDefinition {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels: readonly string[];
  /** Defaults to the sum over the processes of a node. */
  readonly aggregator?: 'max';
}

/**
 * Every metric of `/metrics`. Names end with their unit, before `_total` for counters. Labels are bounded: never a
 * user, a key, a request or text that somebody typed. docs/TELEMETRY.md has the same list.
 */
export const metricCatalogue = {
  sluice_requests_total: {
    type: 'counter',
    help: 'Requests that have ended, refused ones too',
    labels: ['protocol', 'operation', 'provider', 'status_class'],
  },
  sluice_request_errors_total: {
    type: 'counter',
    help: 'Requests that failed, by the code of the error; client_closed where the caller left',
    labels: ['provider', 'code'],
  },
  sluice_refusals_total: {
    type: 'counter',
    help: 'Requests that were refused by a rule, by the code of the error',
    labels: ['code'],
  },
  sluice_shed_requests_total: {
    type: 'counter',
    help: 'Requests that were refused unread because the worker had more than it can take',
    labels: [],
  },
  sluice_request_duration_seconds: {
    type: 'histogram',
    help: 'From the receipt of a request to the end of its answer',
    labels: ['protocol', 'provider', 'stream'],
  },
  sluice_first_byte_seconds: {
    type: 'histogram',
    help: 'From the receipt of a request to the first byte of its answer',
    labels: ['protocol', 'provider', 'stream'],
  },
  sluice_gate_overhead_seconds: {
    type: 'histogram',
    help: 'From the receipt of a request to the first call to a provider',
    labels: [],
  },
  sluice_tokens_total: {
    type: 'counter',
    help: 'Tokens that were used: input, cache_read, cache_write, output',
    labels: ['provider', 'model', 'kind'],
  },
  sluice_cost_usd_total: {
    type: 'counter',
    help: 'What requests cost, in dollars, with the markup of service-managed providers',
    labels: ['provider', 'model'],
  },
  sluice_provider_calls_total: {
    type: 'counter',
    help: 'Calls to providers, retries and fallbacks too, by how they ended: answered or the code of the error',
    labels: ['provider', 'outcome'],
  },
  sluice_provider_call_duration_seconds: {
    type: 'histogram',
    help: 'From a call to a provider to the first byte of its answer or its failure',
    labels: ['provider'],
  },
  sluice_requests_in_flight: { type: 'gauge', help: 'Requests that have not ended yet', labels: [] },
  sluice_circuits_open: {
    type: 'gauge',
    help: 'Circuits of models that are not closed, counted once for each worker',
    labels: ['provider'],
  },
  sluice_journal_backlog_bytes: {
    type: 'gauge',
    help: 'What stands in the journals on disk and not yet in the database',
    labels: [],
  },
  sluice_journal_backlog_age_seconds: {
    type: 'gauge',
    help: 'For how long some journal has not been shipped to its end',
    labels: [],
    aggregator: 'max',
  },
  sluice_degraded_workers: {
    type: 'gauge',
    help: 'Workers that serve from leases and memory because the database is away or takes no writes',
    labels: [],
  },
  sluice_database_up: {
    type: 'gauge',
    help: '1 when the database answers this scrape, 0 when it does not',
    labels: [],
  },
  sluice_database_pool_connections: {
    type: 'gauge',
    help: 'Connections to the database by pool: busy or idle, and callers that wait for one',
    labels: ['pool', 'state'],
  },
  sluice_event_loop_delay_seconds: {
    type: 'histogram',
    help: 'How late the event loops of the processes of a kind ran a timer that is due every 20 ms',
    labels: ['process'],
  },
  sluice_ledger_drift_tenants: {
    type: 'gauge',
    help: 'Tenants whose balance is not what the last entry of their ledger says',
    labels: [],
  },
  sluice_allowance_drift: {
    type: 'gauge',
    help: 'Limits whose leased amount is not what the nodes hold of them',
    labels: [],
  },
  sluice_lost_nodes: {
    type: 'gauge',
    help: 'Workers of the last day that are gone with what they had not shipped',
    labels: [],
  },
  sluice_mails_waiting: { type: 'gauge', help: 'Mails that have not been sent yet', labels: [] },
  sluice_job_last_success_seconds: {
    type: 'gauge',
    help: 'When a job last ended well, as Unix time',
    labels: ['job_name'],
  },
  sluice_job_interval_seconds: {
    type: 'gauge',
    help: 'Time between two regular runs of a job',
    labels: ['job_name'],
  },
  sluice_backup_last_success_seconds: {
    type: 'gauge',
    help: 'When sluice backup last wrote a file, as Unix time; absent if it never has',
    labels: [],
  },
  sluice_data_folder_free_bytes: {
    type: 'gauge',
    help: 'Free space on the volume of the data folder',
    labels: [],
  },
  sluice_job_failures_total: { type: 'counter', help: 'Runs of a job that failed', labels: ['job_name'] },
  sluice_workers: {
    type: 'gauge',
    help: 'Workers that answered this scrape: ready or not_ready',
    labels: ['state'],
  },
  sluice_process_exits_total: {
    type: 'counter',
    help: 'Workers and shippers that ended and were replaced',
    labels: ['process'],
  },
  sluice_telemetry_dropped_total: {
    type: 'counter',
    help: 'What was not sent because its queue was full or nobody took it: spans or alerts',
    labels: ['signal'],
  },
  sluice_build_info: {
    type: 'gauge',
    help: 'Always 1; the labels say what runs',
    labels: ['version', 'node'],
    aggregator: 'max',
  },
  sluice_process_cpu_seconds_total: {
    type: 'counter',
    help: 'CPU time of the processes of a kind',
    labels: ['process', 'mode'],
  },
  sluice_process_resident_memory_bytes: {
    type: 'gauge',
    help: 'Resident memory of the processes of a kind',
    labels: ['process'],
  },
  sluice_process_heap_used_bytes: {
    type: 'gauge',
    help: 'Used JavaScript heap of the processes of a kind',
    labels: ['process'],
  },
  sluice_process_start_time_seconds: {
    type: 'gauge',
    help: 'When the newest process of a kind started, as Unix time',
    labels: ['process'],
    aggregator: 'max',
  },
} as const satisfies Record<string, MetricDefinition>;

export type MetricName = keyof typeof metricCatalogue;

/** One value of a metric; a histogram has several, told apart by `metricName`. */
export interface MetricValue {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
  readonly metricName?: string;
}

/** Metrics of one or more processes, as plain data that can be sent to another process. */
export type Metrics = Partial<Record<MetricName, readonly MetricValue[]>>;
