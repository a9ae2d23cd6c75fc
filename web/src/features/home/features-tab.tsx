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
        <h1 className={styles.title}>One gate for every model</h1>
        <p className={styles.lead}>
          Sluice stands between your people and the language models they use. It knows who asks, holds every
          limit, and writes every request down. You host it yourself.
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
    text: 'Speaks the protocols of OpenAI, Anthropic and Google. A program changes its address and its key, and nothing else.',
  },
  {
    name: 'Your keys, or shared ones',
    text: 'Bring your own provider accounts, or pay from credits for the ones that the operator manages. Keys are sealed and never shown.',
  },
  {
    name: 'Limits that hold',
    text: 'Tokens a day and a month, requests an hour, tokens of a task. They hold exactly, also when many requests come at once.',
  },
  {
    name: 'Work stays on its task',
    text: 'Each prompt is classified and compared with the task it belongs to. A deviation score shows drift early; a block can be appealed.',
  },
  {
    name: 'Every request on record',
    text: 'Who asked what, of which model, for how much, and how long it took. Search it, export it, and decide how long it is kept.',
  },
  {
    name: 'Providers may fail',
    text: 'Fallbacks, cooldowns and maintenance keep requests going. Pretend that a provider is down, and see who would notice.',
  },
] as const;
