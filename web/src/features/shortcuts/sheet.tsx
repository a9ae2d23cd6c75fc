import { Modal, Switch } from '@mantine/core';
import type { Screens } from '#components/layout/use-screens.ts';
import { modifierKey, useSingleKeys } from '#lib/keyboard.ts';
import styles from './sheet.module.css';

interface ShortcutsSheetProps {
  screens: Screens;
  onClose: () => void;
}

const combined = { keys: `${modifierKey} K`, does: 'Open the command palette' };

const single = [
  { keys: '/', does: 'Search on this page' },
  { keys: '[', does: 'Collapse or expand the sidebar' },
  { keys: '?', does: 'Show this sheet' },
];

/** Includes the switch that turns single-key shortcuts on or off. */
export function ShortcutsSheet({ screens, onClose }: ShortcutsSheetProps) {
  const [choice, setChoice] = useSingleKeys();
  const isOn = choice === 'on';
  const places = [...screens.sidebar, ...screens.menu].map(({ letter, label }) => ({
    keys: `g ${letter}`,
    does: label,
  }));
  return (
    <Modal
      opened
      onClose={onClose}
      returnFocus={false}
      title="Keyboard shortcuts"
      size="40rem"
      classNames={{ content: styles.content, header: styles.header, title: styles.title, body: styles.body }}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <div className={styles.columns}>
        <div>
          <Keys title="Anywhere" rows={[combined]} />
          <Keys title="On every page" rows={single} isOff={!isOn} />
        </div>
        <Keys title="Go to" rows={places} isOff={!isOn} />
      </div>
      <Switch
        className={styles.switch}
        label="Single-key shortcuts"
        description={`Turn them off if you use speech input or do not want them. Shortcuts with ${modifierKey} stay on.`}
        checked={isOn}
        onChange={(event) => setChoice(event.currentTarget.checked ? 'on' : 'off')}
      />
    </Modal>
  );
}

interface KeysProps {
  title: string;
  rows: readonly { keys: string; does: string }[];
  isOff?: boolean;
}

function Keys({ title, rows, isOff = false }: KeysProps) {
  return (
    <section className={styles.keys} data-off={isOff || undefined}>
      <h3>
        {title}
        {isOff && ' (off)'}
      </h3>
      <dl>
        {rows.map(({ keys, does }) => (
          <div key={keys}>
            <dt>{does}</dt>
            <dd>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
