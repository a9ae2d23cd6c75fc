import type { CurrentUser, LlmProvider } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatRowTime } from '../../lib/format-time.ts';
import { messageOf } from '../../lib/message-of.ts';
import { pickModel } from './chat-snippet.ts';
import styles from './panels.module.css';
import { llmProvidersQuery, newestLogQuery, type People, peopleQuery } from './queries.ts';
import { Step } from './step.tsx';

/** What a new gate still needs; the steps tick themselves. */
export function FirstSteps({ user }: { user: CurrentUser }) {
  const providers = useQuery(llmProvidersQuery);
  const people = useQuery(peopleQuery(user));
  const logs = useQuery(newestLogQuery);
  const hasProvider = providers.data && pickModel(providers.data) !== undefined;
  const hasUser = people.data && people.data.others.length > 0;
  const hasKey = people.data && people.data.keyHolder !== undefined;
  const hasRequest = logs.data && logs.data.length > 0;

  return (
    <section className={styles.panel} aria-labelledby="first-steps">
      <StepsHeader steps={[hasProvider, hasUser, hasKey, hasRequest]} />
      <ol>
        <Step isDone={hasProvider} title="Connect a provider">
          {textOf(providers, describeProviders)}
        </Step>
        <Step isDone={hasUser} title="Create a user">
          {textOf(people, describeUsers)}
        </Step>
        <Step isDone={hasKey} title="Make an API key">
          {textOf(people, describeKeys)}
        </Step>
        <Step isDone={hasRequest} title="Send a request through the gate">
          {textOf(logs, ([newest]) => (newest ? describeNewest(newest.timestamp) : describeNone))}
        </Step>
      </ol>
    </section>
  );
}

function StepsHeader({ steps }: { steps: readonly (boolean | undefined)[] }) {
  const doneCount = steps.filter((isDone) => isDone === true).length;
  return (
    <header className={styles.header}>
      <h2 id="first-steps">First steps</h2>
      <span className={`num ${styles.progress}`}>
        {doneCount} of {steps.length}
        <progress className={styles.bar} value={doneCount} max={steps.length} aria-label="Steps done" />
      </span>
    </header>
  );
}

interface Answer<Data> {
  data: Data | undefined;
  error: Error | null;
}

function textOf<Data>({ data, error }: Answer<Data>, describe: (data: Data) => ReactNode): ReactNode {
  if (data !== undefined) return describe(data);
  return error ? `Not known: ${messageOf(error, 'the gate cannot be reached')}` : 'Looking...';
}

function describeProviders(providers: readonly LlmProvider[]): string {
  const names = providers
    .filter((provider) => provider.is_active && provider.enabled_models.length > 0)
    .map((provider) => provider.provider_instance_name);
  return names.length === 0 ? 'No active provider offers a model yet.' : `Connected: ${names.join(', ')}.`;
}

const describeUsers = ({ others }: People) =>
  others.length === 0 ? (
    <>
      You are the only user. <Link to="/admin/users">Open Users</Link>
    </>
  ) : (
    <>
      {others.slice(0, 3).join(', ')}
      {others.length > 3 && ' and others'} can sign in. <Link to="/admin/users">Open Users</Link>
    </>
  );

const describeKeys = ({ keyHolder }: People) => (
  <>
    {keyHolder === undefined ? 'Nobody has one yet.' : `${keyHolder} has one.`} They are made for each user in{' '}
    <Link to="/admin/users">Users</Link>.
  </>
);

const describeNewest = (timestamp: string) => (
  <>
    The newest came {formatRowTime(timestamp)}. <Link to="/admin/logs">Open System Logs</Link>
  </>
);

const describeNone = (
  <>
    Run the example here. It appears in <Link to="/admin/logs">System Logs</Link> as soon as it is answered.
  </>
);
