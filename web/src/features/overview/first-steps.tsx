import type { FirstSteps as Facts } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Failure } from '#components/ui/notice.tsx';
import { describeFailure } from '#lib/describe-failure.ts';
import { formatRowTime } from '#lib/format-time.ts';
import styles from './panels.module.css';
import { firstStepsQuery, listDone } from './queries.ts';

/** Steps are ticked from the actual state. */
export function FirstSteps() {
  const answer = useQuery(firstStepsQuery);
  const { data } = answer;
  const failure = describeFailure(answer, 'Unknown error', 'Error loading the first steps');
  const done = data && listDone(data);
  const unknown = failure ? 'Unknown.' : 'Checking...';
  return (
    <section className={styles.panel} aria-labelledby="first-steps">
      <StepsHeader doneCount={done?.filter(Boolean).length ?? 0} />
      {failure && <Failure {...failure} />}
      <ol>
        {steps.map(({ title, describe }, index) => (
          <Step key={title} isDone={done?.[index]} title={title}>
            {data ? describe(data) : unknown}
          </Step>
        ))}
      </ol>
    </section>
  );
}

function StepsHeader({ doneCount }: { doneCount: number }) {
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

const namesShown = 3;

/** Names at most three: `Ada, Ben and Cy`, or `Ada, Ben, Cy and others`. */
export function nameAll(names: readonly string[]): string {
  const shown = names.length > namesShown ? [...names.slice(0, namesShown), 'others'] : names;
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}

const usersLink = <Link to="/admin/users">Users</Link>;
const exampleLink = (
  <Link to="/admin" hash="call">
    the example
  </Link>
);
const providersLink = <Link to="/admin/llm-providers">LLM Providers</Link>;

/** Steps are in the order of the result of `listDone`. */
const steps: readonly { title: string; describe: (facts: Facts) => ReactNode }[] = [
  {
    title: 'Connect a provider',
    describe({ providers, has_sandbox }) {
      if (providers.length > 0) return `Connected: ${nameAll(providers)}.`;
      if (!has_sandbox) return <>No active provider offers a model yet. Add one in {providersLink}.</>;
      return <>Sandbox is connected; add your own in {providersLink}, under Self Managed.</>;
    },
  },
  {
    title: 'Test the connection',
    describe: ({ connection_tested_at: testedAt }) =>
      testedAt === null
        ? "Test Connection in a provider's form tries your key and costs nothing."
        : `Your key was accepted ${formatRowTime(testedAt)}.`,
  },
  {
    title: 'Create a user',
    describe: ({ users }) =>
      users.length === 0 ? (
        <>You are the only user. Create or invite users in {usersLink}.</>
      ) : (
        <>
          {nameAll(users)} can sign in. Create or invite more users in {usersLink}.
        </>
      ),
  },
  {
    title: 'Grant models or assign a task',
    describe({ granted_users, assigned_users }) {
      const ready = granted_users.filter((name) => assigned_users.includes(name));
      if (ready.length > 0) return <>Users with models and a task: {nameAll(ready)}.</>;
      if (granted_users.length > 0)
        return <>Users with models but no task yet: {nameAll(granted_users)}. Requests need both.</>;
      if (assigned_users.length > 0)
        return <>Users with a task but no models yet: {nameAll(assigned_users)}. Requests need both.</>;
      return (
        <>
          Start with either; a user needs both to send requests. {usersLink} shows what is missing, and you
          can add it there.
        </>
      );
    },
  },
  {
    title: 'Create an API key',
    describe: ({ key_holders }) => (
      <>
        {key_holders.length === 0 ? 'There is no permanent key yet.' : `Created for ${nameAll(key_holders)}.`}{' '}
        Create one for each user in {usersLink}.
      </>
    ),
  },
  {
    title: 'Send a request through the gateway',
    describe: ({ answered_request: answered }) =>
      answered === null ? (
        <>
          Press “Send it now” in {exampleLink}, or run the example with an API key. The request appears in{' '}
          <Link to="/admin/logs">System Logs</Link> as soon as the model responds.
        </>
      ) : (
        <>
          A model has responded {formatRowTime(answered.created_at)}.{' '}
          <Link to="/admin/logs" search={{ open: answered.id }}>
            Open the request
          </Link>
        </>
      ),
  },
];

interface StepProps {
  /** `undefined` while loading. */
  isDone: boolean | undefined;
  title: string;
  children: ReactNode;
}

function Step({ isDone, title, children }: StepProps) {
  return (
    <li className={styles.step}>
      <svg
        className={isDone ? styles.done : styles.open}
        width="16"
        height="16"
        viewBox="0 0 16 16"
        aria-hidden
      >
        <circle cx="8" cy="8" r="7" />
        {isDone && <path d="m5 8.2 2.1 2.1L11 6.2" />}
      </svg>
      <div>
        <h3>
          {title}
          {isDone !== undefined && <span className="visually-hidden">{isDone ? ', done' : ', to do'}</span>}
        </h3>
        <div className={styles.explanation}>{children}</div>
      </div>
    </li>
  );
}
