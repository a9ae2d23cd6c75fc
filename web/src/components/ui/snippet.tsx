import { Tabs } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { CopyButton } from './copy-button.tsx';
import { HighlightedCode } from './highlighted-code.tsx';
import styles from './snippet.module.css';

interface SnippetProps {
  /** Title, for example `Shell`. */
  title: string;
  text: string;
  /** If absent, code has no colors. */
  language?: string | undefined;
  onCopied?: () => void;
}

export function Snippet({ title, text, language, onCopied }: SnippetProps) {
  return (
    <figure className={styles.snippet}>
      <figcaption className={styles.caption}>
        {title}
        <CopyButton text={text} label={`Copy ${title}`} onCopied={onCopied} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
      <pre className={styles.text} tabIndex={0}>
        <code>{language ? <HighlightedCode text={text} language={language} /> : text}</code>
      </pre>
    </figure>
  );
}

const languages = ['curl', 'Python', 'TypeScript'] as const;
type Language = (typeof languages)[number];

interface SnippetTabsProps {
  texts: Record<Language, string>;
  onCopied?: () => void;
}

/** The last selected language applies to all snippets. */
export function SnippetTabs({ texts, onCopied }: SnippetTabsProps) {
  const [stored, remember] = useLocalStorage<string>({
    key: 'sluice.snippet-language',
    defaultValue: languages[0],
    getInitialValueInEffect: false,
    serialize: (language) => language,
    deserialize: (language) => language ?? languages[0],
  });
  const language = languages.find((name) => name === stored) ?? languages[0];

  return (
    <Tabs
      className={styles.snippet}
      value={language}
      onChange={(next) => remember(next ?? languages[0])}
      classNames={{ list: styles.tabs, tab: styles.tab }}
    >
      <div className={styles.caption}>
        <Tabs.List aria-label="Language">
          {languages.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <CopyButton text={texts[language]} label={`Copy ${language} snippet`} onCopied={onCopied} />
      </div>
      {languages.map((name) => (
        <Tabs.Panel key={name} value={name} tabIndex={0} className={styles.panel}>
          <pre className={styles.text}>
            <code>{texts[name]}</code>
          </pre>
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
