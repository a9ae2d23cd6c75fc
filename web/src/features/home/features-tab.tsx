import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Snippet } from '#components/ui/snippet.tsx';
import { quickStarts } from './quick-starts.ts';
import styles from './tabs.module.css';

interface FeaturesTabProps {
  /** Model for the example call. */
  model: string;
}

/** Overview of the product. */
export function FeaturesTab({ model }: FeaturesTabProps) {
  const [curl] = quickStarts(window.location.origin, model);
  return (
    <>
      <section className={styles.hero}>
        <h1 className={styles.title}>One gateway for every model</h1>
        <p className={styles.lead}>
          Sluice is a self-hosted gateway between your users and the language models they use. It
          authenticates every request, enforces your limits, and logs every request.
        </p>
        <div className={styles.calls}>
          <Button size="md" renderRoot={(props) => <Link {...props} to="/" search={{ tab: 'docs' }} />}>
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
        {curl && <Snippet title="A first call" text={curl.text} />}
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

const features = [
  {
    name: 'Keep your clients',
    text: 'Speaks the protocols of OpenAI, Anthropic and Google. Clients change only their base URL and API key.',
  },
  {
    name: 'Your keys, or shared ones',
    text: 'Bring your own provider accounts, or pay from credits for the ones that the operator manages. Keys are encrypted and never shown.',
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
