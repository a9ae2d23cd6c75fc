import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Snippet } from '#components/ui/snippet.tsx';
import { quickStarts } from './quick-starts.ts';
import styles from './tabs.module.css';

interface FeaturesTabProps {
  /** Id of the model in the example call. */
  model: string;
  maySignUp: boolean;
}

export function FeaturesTab({ model, maySignUp }: FeaturesTabProps) {
  const [curl] = quickStarts(window.location.origin, model);
  return (
    <>
      <section className={styles.hero}>
        <div>
          <h1 className={styles.title}>One gateway for every model</h1>
          <p className={styles.lead}>
            Sluice is a self-hosted gateway between your users and the language models they use. It
            authenticates every request, enforces your limits, and logs every request.
          </p>
          <NextSteps maySignUp={maySignUp} />
        </div>
        <div className={styles.example}>
          {curl && <Snippet title="A first call" text={curl.text} />}
          <ol className={styles.path} aria-label="Path of a request">
            {steps.map(({ name, text }) => (
              <li key={name}>
                <strong>{name}</strong>
                {text}
              </li>
            ))}
          </ol>
        </div>
      </section>
      <section className={styles.features} aria-label="Features">
        {features.map(({ name, text }) => (
          <article key={name} className={styles.feature}>
            <h2>{name}</h2>
            <p>{text}</p>
          </article>
        ))}
      </section>
    </>
  );
}

function NextSteps({ maySignUp }: Pick<FeaturesTabProps, 'maySignUp'>) {
  return (
    <div className={styles.calls}>
      {maySignUp && (
        <Button size="md" renderRoot={(props) => <Link {...props} to="/signup" />}>
          Sign up
        </Button>
      )}
      <Button
        size="md"
        variant={maySignUp ? 'default' : 'filled'}
        renderRoot={(props) => <Link {...props} to="/" search={{ tab: 'docs' }} />}
      >
        Make a first call
      </Button>
      <Button
        size="md"
        variant="default"
        renderRoot={(props) => <Link {...props} to="/" search={{ tab: 'pricing' }} />}
      >
        See pricing
      </Button>
    </div>
  );
}

const steps = [
  { name: 'Key', text: 'its owner, and the models they may use' },
  { name: 'Limits', text: 'tokens, requests and credits that are left' },
  { name: 'Task', text: 'whether the prompt fits the assigned task' },
  { name: 'Provider', text: 'the first that is available, then its fallbacks' },
  { name: 'Log', text: 'tokens, cost and duration of the response' },
] as const;

const features = [
  {
    name: 'Keep your clients',
    text: 'Speaks the protocols of OpenAI, Anthropic and Google. Clients change only their base URL and API key.',
  },
  {
    name: 'Your keys, or shared ones',
    text: 'Bring your own provider accounts, or pay with credits for accounts that the operator manages. Keys are encrypted and never shown.',
  },
  {
    name: 'Exact limits',
    text: 'Limits for tokens per day, month and task, and for requests per hour. They are exact even under many concurrent requests.',
  },
  {
    name: 'Requests stay on task',
    text: 'Each prompt is classified and compared with the task it belongs to. A deviation score shows drift early; a block can be appealed.',
  },
  {
    name: 'Every request is logged',
    text: 'User, prompt, model, cost and duration of each request. Search and export the log, and set how long it is kept.',
  },
  {
    name: 'Fallbacks for outages',
    text: 'Fallbacks, cooldowns and maintenance keep requests going. Simulate an outage of a provider, and see which users it would affect.',
  },
] as const;
