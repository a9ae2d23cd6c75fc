import type { LlmProvider } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Snippet } from '../../components/ui/snippet.tsx';
import { formatRowTime } from '../../lib/format-time.ts';
import { messageOf } from '../../lib/message-of.ts';
import { chatSnippet, pickModel } from './chat-snippet.ts';
import styles from './first-steps.module.css';
import { llmProvidersQuery, newestLogQuery } from './overview-queries.ts';

const sandboxModel = 'sandbox-normal';

/** What a new gate still needs; the steps tick themselves. */
export function FirstSteps() {
  const { data: providers, error } = useQuery(llmProvidersQuery);
  const { data: [newest] = [] } = useQuery(newestLogQuery);
  const model = providers && pickModel(providers);

  return (
    <section className={styles.panel} aria-labelledby="first-steps">
      <h2 id="first-steps" className={styles.title}>
        First steps
      </h2>
      <ol>
        <Step isDone={model !== undefined} title="Connect a provider">
          {error
            ? `Not known: ${messageOf(error)}`
            : providers
              ? describeProviders(providers)
              : 'Looking ...'}
        </Step>
        <Step isDone={newest !== undefined} title="Send a request through the gate">
          <p>
            Any OpenAI client works with the base URL <code>{window.location.origin}/api/v1</code>. The API
            key was printed when the gate first started.
          </p>
          <div className={styles.snippet}>
            <Snippet title="Shell" text={chatSnippet(window.location.origin, model ?? sandboxModel)} />
          </div>
        </Step>
        <Step isDone={newest !== undefined} title="See it in the log">
          {newest ? `The newest request came ${formatRowTime(newest.timestamp)}. ` : 'It appears in '}
          <Link to="/admin/logs">{newest ? 'Open System Logs' : 'System Logs'}</Link>
          {newest ? '' : ' as soon as it is answered.'}
        </Step>
      </ol>
    </section>
  );
}

function describeProviders(providers: readonly LlmProvider[]): string {
  const names = providers
    .filter((provider) => provider.is_active && provider.enabled_models.length > 0)
    .map((provider) => provider.provider_instance_name);
  return names.length === 0 ? 'No active provider offers a model yet.' : `Connected: ${names.join(', ')}.`;
}

function Step({ isDone, title, children }: { isDone: boolean; title: string; children: ReactNode }) {
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
      <div className={styles.text}>
        <h3>
          {title}
          <span className="visually-hidden">{isDone ? ', done' : ', to do'}</span>
        </h3>
        <div className={styles.explanation}>{children}</div>
      </div>
    </li>
  );
}
