import { errorCodes, type LogEntry, type RefusedCode } from '@sluice/contract';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Notice } from '#components/ui/notice.tsx';
import { localizeInstants } from '#lib/format-time.ts';
import styles from './refusal.module.css';

export function LogRefusal({ log }: { log: LogEntry }) {
  const code = codeOf(log);
  if (code === null) return null;
  return (
    <section aria-label="Refusal">
      <h3>Refusal</h3>
      <Notice
        kind="warn"
        title={localizeInstants(log.error_message ?? errorCodes[code].meaning)}
        action={<code>{code}</code>}
      >
        <dl className={styles.facts}>
          <dt>Rule</dt>
          <dd>{errorCodes[code].meaning}</dd>
          <dt>What to do</dt>
          <dd>{remedies[code](log)}</dd>
        </dl>
      </Notice>
    </section>
  );
}

export function codeOf({ status, error_code: code }: Pick<LogEntry, 'status' | 'error_code'>) {
  return status === 'refused' && code !== null && Object.hasOwn(remedies, code)
    ? // safe because the table contains the code
      (code as RefusedCode)
    : null;
}

type Remedy = (log: LogEntry) => ReactNode;

const changeLimit: Remedy = ({ user_id: user }) =>
  user === null ? (
    'Raise the limit of the user in Users.'
  ) : (
    <>
      Wait until it resets, or raise it in{' '}
      <Link to="/admin/users" search={{ open: user, act: 'edit' }}>
        Edit User
      </Link>
      .
    </>
  );

const changeTask: Remedy = ({ task_id: task }) => (
  <>
    It does not reset. Raise it in{' '}
    <Link to="/admin/tasks" search={task === null ? {} : { open: task }}>
      the task
    </Link>
    , or send a request with a shorter answer.
  </>
);

const grantModel: Remedy = ({ user_id: user, model }) => (
  <>
    Check the name of the model, or grant it in{' '}
    <Link
      to="/admin/provider-access"
      search={user === null ? {} : { explain: user, ...(model !== null && { model }) }}
    >
      Provider Access
    </Link>
    , which explains what the user may use.
  </>
);

const assignTask: Remedy = () => (
  <>
    The client names a task in the header X-Task-Id. Users and their tasks are in{' '}
    <Link to="/admin/tasks">Tasks</Link>.
  </>
);

const seeUser: Remedy = ({ user_id: user }) => (
  <>
    The reason, and the way to lift the block or change the key, are in{' '}
    <Link to="/admin/users" search={user === null ? {} : { open: user }}>
      the user's details
    </Link>
    .
  </>
);

const correctRequest: Remedy = () => 'The client has to correct the request as described in the message.';
const retryLater: Remedy = () => 'The client can retry once other requests have finished.';
const changePolicy: Remedy = () => (
  <>
    A prompt that fits the task is accepted. The threshold and the trusted models are in{' '}
    <Link to="/admin/settings">Settings</Link>.
  </>
);

const remedies: Readonly<Record<RefusedCode, Remedy>> = {
  invalid_json: correctRequest,
  invalid_request: correctRequest,
  duplicate_field: correctRequest,
  request_timeout: () => 'The client was too slow. Check its network connection.',
  body_too_large: () =>
    'Send a smaller request, or ask the operator of this installation to raise SLUICE_BODY_LIMIT.',
  unsupported_media_type: correctRequest,
  insufficient_credits: () => (
    <>
      Add credits in <Link to="/admin/tenant-credits">Tenant Credits</Link>, or use a model that is not paid
      from credits.
    </>
  ),
  tenant_suspended: () => (
    <>
      Pay in <Link to="/admin/tenant-credits">Tenant Credits</Link>, or contact the operator of this
      installation.
    </>
  ),
  account_blocked: seeUser,
  access_withdrawn: seeUser,
  scope_missing: seeUser,
  key_restricted: seeUser,
  model_blacklisted: ({ model }) => (
    <>
      Use another model, or remove the entry from{' '}
      <Link to="/admin/blacklist" search={model === null ? {} : { filter: model }}>
        the blacklist
      </Link>
      .
    </>
  ),
  model_not_found: grantModel,
  model_not_trusted: changePolicy,
  task_required: assignTask,
  task_not_found: assignTask,
  policy_blocked: changePolicy,
  requests_per_hour_exceeded: changeLimit,
  tokens_per_day_exceeded: changeLimit,
  tokens_per_month_exceeded: changeLimit,
  task_tokens_exceeded: changeTask,
  budget_exceeded: () => (
    <>
      Raise the budget in <Link to="/admin/budgets">Budgets</Link>, or wait until it resets.
    </>
  ),
  model_unpriced: () => (
    <>
      Set a price for the model in <Link to="/admin/llm-providers">LLM Providers</Link>, or choose what
      happens to models without a price in <Link to="/admin/settings">Settings</Link>.
    </>
  ),
  too_many_at_once: retryLater,
  body_budget_exceeded: retryLater,
  request_loop: () => (
    <>
      The endpoint of a provider points back to this gateway. Correct it in{' '}
      <Link to="/admin/llm-providers">LLM Providers</Link>.
    </>
  ),
};
