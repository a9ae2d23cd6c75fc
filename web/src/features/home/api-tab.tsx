import { TextInput } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { foldText, portalRoutes, systemRoutes } from '@sluice/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type MouseEvent, useState } from 'react';
import { Failure } from '#components/ui/notice.tsx';
import { SkeletonLines } from '#components/ui/skeleton.tsx';
import { Snippet } from '#components/ui/snippet.tsx';
import { createApiClient } from '#lib/api.ts';
import { describeFailure } from '#lib/describe-failure.ts';
import { formatLabel } from '#lib/format-label.ts';
import styles from './api-tab.module.css';
import { referenceSnippets, taskPlaceholder } from './quick-starts.ts';
import { type Field, type Operation, readOpenapi } from './read-openapi.ts';
import home from './tabs.module.css';
import { TryIt } from './try-it.tsx';

const system = createApiClient(systemRoutes);
const portal = createApiClient(portalRoutes);

const activeTasksQuery = queryOptions({
  queryKey: ['own-tasks', 'active'],
  queryFn: async ({ signal }) =>
    (await portal.listUserTasks(undefined, { signal })).filter(({ status }) => status === 'active'),
});

const unchanging = { staleTime: Number.POSITIVE_INFINITY } as const;

export const openapiQuery = queryOptions({
  ...unchanging,
  queryKey: ['openapi'],
  queryFn: async ({ signal }) => readOpenapi(await system.getOpenapi(undefined, { signal })),
});

interface ApiTabProps {
  model: string;
  isSignedIn: boolean;
}

/** Uses an active task of the user, or a placeholder. */
function KeySnippets({ model, isSignedIn }: ApiTabProps) {
  const { data: tasks } = useQuery({ ...activeTasksQuery, enabled: isSignedIn });
  const taskId = tasks?.[0]?.task_id;
  const snippets = referenceSnippets(window.location.origin, model, taskId);
  return (
    <>
      <p className={home.intro}>
        Send requests to <code>{window.location.origin}/api/v1</code>, with your API key in{' '}
        <code>X-API-Key</code> or as a bearer token. The OpenAPI document is at{' '}
        <a href="/api/v1/openapi.json">/api/v1/openapi.json</a>.
        {taskId === undefined && (
          <>
            {' '}
            Replace <code>{taskPlaceholder}</code> with the ID of one of your tasks, from{' '}
            <code>GET /api/v1/user/tasks</code>.
          </>
        )}
      </p>
      <div className={styles.snippets}>
        <Snippet title="With an API key header" text={snippets.apiKey} />
        <Snippet title="With a bearer token" text={snippets.bearer} />
      </div>
    </>
  );
}

export function ApiTab({ model, isSignedIn }: ApiTabProps) {
  const [text, setText] = useState('');
  const answer = useQuery(openapiQuery);
  const failure = describeFailure(answer, 'Failed to load the API reference');
  const found = (answer.data ?? []).filter((operation) => isFound(operation, text));
  const chapters = listChapters(found);
  return (
    <section className={home.section}>
      <h1>API Reference</h1>
      <KeySnippets model={model} isSignedIn={isSignedIn} />
      <TextInput
        type="search"
        className={styles.search}
        label="Find an endpoint"
        placeholder="completions, users, credits ..."
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {failure && <Failure {...failure} />}
      {answer.isPending && <SkeletonLines count={8} />}
      <div className={styles.reference}>
        <Contents chapters={chapters} />
        <div>
          {chapters.map(({ title, nouns }) => (
            <section key={title} aria-label={title}>
              <h2>{title}</h2>
              {nouns.map((noun) => (
                <NounOperations key={noun.id} {...{ ...noun, model, isSignedIn }} />
              ))}
            </section>
          ))}
        </div>
      </div>
      {answer.data && found.length === 0 && <p className="quiet">No endpoints match your search.</p>}
    </section>
  );
}

function isFound({ id, path, summary, noun }: Operation, text: string): boolean {
  const words = foldText(text.trim()).split(/\s+/);
  const about = foldText(`${id} ${path} ${summary} ${noun}`);
  return words.every((word) => about.includes(word));
}

interface Noun {
  /** Id of the chapter's heading, the target of the navigation. */
  readonly id: string;
  readonly name: string;
  readonly operations: readonly Operation[];
}

interface Chapter {
  readonly title: string;
  readonly nouns: readonly Noun[];
}

/** Endpoints for model clients come first. */
function listChapters(operations: readonly Operation[]): Chapter[] {
  const [forModels, others] = [true, false].map((isForModels) =>
    operations.filter((one) => one.isForModels === isForModels),
  );
  return [
    { title: 'Models', nouns: listNouns(forModels ?? []) },
    { title: 'Management', nouns: listNouns(others ?? []) },
  ].filter(({ nouns }) => nouns.length > 0);
}

function listNouns(operations: readonly Operation[]): Noun[] {
  return [...Map.groupBy(operations, ({ noun }) => noun)].map(([noun, members]) => ({
    id: `api-${noun}`,
    name: nameNoun(noun),
    operations: members,
  }));
}

/** Formats `apiKeys` as `API keys`. */
const nameNoun = (noun: string) =>
  formatLabel(noun.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)).replace(
    /^(Api|Llm|Scim)\b/,
    (word) => word.toUpperCase(),
  );

/** Collapsed above the page on narrow screens. */
function Contents({ chapters }: { chapters: readonly Chapter[] }) {
  const isWide = useMediaQuery('(min-width: 64rem)', true, { getInitialValueInEffect: false });
  return (
    <details className={styles.contents} open={isWide}>
      <summary className={styles.fold}>Contents</summary>
      <nav aria-label="API Reference">
        {chapters.map(({ title, nouns }) => (
          <div key={title} className={styles.chapter}>
            <strong>{title}</strong>
            {nouns.map(({ id, name, operations }) => (
              <a key={id} href={`#${id}`} onClick={(event) => goTo(event, id)}>
                {name} <span className="num quiet">{operations.length}</span>
              </a>
            ))}
          </div>
        ))}
      </nav>
    </details>
  );
}

/** Moves the focus to the chapter, without a new history entry. */
function goTo(event: MouseEvent, id: string): void {
  event.preventDefault();
  const heading = document.getElementById(id);
  heading?.scrollIntoView({ block: 'start' });
  heading?.focus({ preventScroll: true });
}

function NounOperations({ id, name, operations, ...props }: Noun & ApiTabProps) {
  return (
    <>
      <h3 id={id} tabIndex={-1} className={styles.noun}>
        {name}
      </h3>
      <ul className={styles.operations} aria-label={name}>
        {operations.map((operation) => (
          <li key={operation.id}>
            <OperationDetails operation={operation} {...props} />
          </li>
        ))}
      </ul>
    </>
  );
}

interface OperationDetailsProps {
  operation: Operation;
  model: string;
  isSignedIn: boolean;
}

/** The details render when the user opens them. */
export function OperationDetails({ operation, model, isSignedIn }: OperationDetailsProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={styles.operation} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span className={styles.method}>{operation.method}</span>
        <code className={styles.path}>{operation.path}</code>
        <span className={styles.summary}>{operation.summary}</span>
      </summary>
      {isOpen && (
        <div className={styles.details}>
          <p className="quiet">
            {operation.permission === 'anyone' ? (
              'No authentication required.'
            ) : (
              <>
                Requires the permission <code>{operation.permission}</code>.
              </>
            )}
          </p>
          <Fields title="Parameters" fields={operation.parameters} />
          <Fields title={`Body, ${operation.body?.mediaType}`} fields={operation.body?.fields ?? []} />
          <Fields title={`Response ${operation.status}`} fields={operation.answer} />
          {isSignedIn || operation.permission === 'anyone' ? (
            <TryIt operation={operation} model={model} />
          ) : (
            <p>
              <Link to="/login" search={{ redirect: '/?tab=api' }}>
                Sign in
              </Link>{' '}
              to try it here.
            </p>
          )}
        </div>
      )}
    </details>
  );
}

function Fields({ title, fields }: { title: string; fields: readonly Field[] }) {
  if (fields.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <dl className={styles.fields}>
        {fields.map((field) => (
          <div key={field.name}>
            <dt>
              <code>{field.name}</code>
            </dt>
            <dd>
              {field.type}
              {field.isRequired && <strong> required</strong>}
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}
