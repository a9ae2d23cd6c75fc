import { Tabs } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { CopyButton } from './copy-button.tsx';
import styles from './snippet.module.css';

const languages = ['curl', 'Python', 'TypeScript'] as const;
type Language = (typeof languages)[number];

interface SnippetTabsProps {
  texts: Record<Language, string>;
  onCopied?: () => void;
}

/** The same call in three languages; the one last chosen anywhere shows everywhere. */
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
