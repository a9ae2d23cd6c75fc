import { SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Snippet } from '../../components/ui/snippet.tsx';
import { chatSnippet, pickModel, snippetLanguages } from '../../lib/chat-snippet.ts';
import { useRemembered } from '../../lib/remembered.ts';
import styles from './panels.module.css';
import { llmProvidersQuery } from './queries.ts';
import { TryRequest } from './try-request.tsx';

const sandboxModel = 'sandbox-normal';

/** How to call the gateway: base URL and an example in the language selected last. */
export function CallPanel() {
  const { data: providers = [] } = useQuery(llmProvidersQuery);
  const [language, setLanguage] = useRemembered('snippet', snippetLanguages);
  const model = pickModel(providers) ?? sandboxModel;
  const { origin } = window.location;
  return (
    <section className={styles.panel} aria-labelledby="call">
      <header className={styles.header}>
        <h2 id="call">Call this gate</h2>
      </header>
      <div className={styles.call}>
        <p className={styles.explanation}>Any OpenAI client works with this base URL and an API key.</p>
        <Snippet title="Base URL" text={`${origin}/api/v1`} />
        <SegmentedControl
          aria-label="Language of the example"
          data={[...snippetLanguages]}
          value={language}
          onChange={(choice) => setLanguage(choice)}
        />
        <Snippet title={language} text={chatSnippet(language, origin, model)} />
        <TryRequest key={model} model={model} />
      </div>
    </section>
  );
}
