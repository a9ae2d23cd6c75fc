import { SegmentedControl } from '@mantine/core';
import { Snippet } from '../../components/ui/snippet.tsx';
import { useRemembered } from '../../lib/remembered.ts';
import { chatSnippet, snippetLanguages } from './chat-snippet.ts';
import styles from './first-steps.module.css';

/** A request to this gate in the language that its reader chose last. */
export function RequestSnippet({ model }: { model: string }) {
  const [language, setLanguage] = useRemembered('snippet', snippetLanguages);
  return (
    <div className={styles.snippet}>
      <SegmentedControl
        aria-label="Language of the example"
        size="xs"
        data={[...snippetLanguages]}
        value={language}
        onChange={(choice) => setLanguage(choice)}
      />
      <Snippet title={language} text={chatSnippet(language, window.location.origin, model)} />
    </div>
  );
}
