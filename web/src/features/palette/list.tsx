import { useEffect, useRef } from 'react';
import { type Command, groups, keyOf } from './commands.ts';
import styles from './dialog.module.css';

export const listId = 'palette-list';

export function optionIdOf(commands: readonly Command[], command: Command): string {
  return `palette-option-${commands.indexOf(command)}`;
}

interface PaletteListProps {
  commands: readonly Command[];
  active: Command | undefined;
  onActivate: (command: Command) => void;
  onRun: (command: Command, inNewTab: boolean) => void;
}

/** The focus remains in the input, which refers to the active option. */
export function PaletteList({ commands, active, onActivate, onRun }: PaletteListProps) {
  const list = useRef<HTMLDivElement>(null);
  const activeOptionId = active && optionIdOf(commands, active);
  useEffect(() => {
    if (activeOptionId)
      list.current?.querySelector(`#${activeOptionId}`)?.scrollIntoView({ block: 'nearest' });
  }, [activeOptionId]);

  return (
    <div ref={list} id={listId} role="listbox" aria-label="Results" className={styles.list}>
      {groups
        .map((group) => ({ group, members: commands.filter((command) => command.group === group) }))
        .filter(({ members }) => members.length > 0)
        .map(({ group, members }) => (
          // biome-ignore lint/a11y/useSemanticElements: a listbox may not contain a fieldset
          <div key={group} role="group" aria-label={group}>
            <div className={styles.group} aria-hidden="true">
              {group}
            </div>
            {members.map((command) => (
              <Option
                key={keyOf(command)}
                id={optionIdOf(commands, command)}
                command={command}
                isActive={command === active}
                onActivate={() => onActivate(command)}
                onRun={(inNewTab) => onRun(command, inNewTab)}
              />
            ))}
          </div>
        ))}
    </div>
  );
}

interface OptionProps {
  id: string;
  command: Command;
  isActive: boolean;
  onActivate: () => void;
  onRun: (inNewTab: boolean) => void;
}

function Option({ id, command, isActive, onActivate, onRun }: OptionProps) {
  const { label, detail, keys, icon: Icon } = command;
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the combobox holds the focus
    // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox handles the keys
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      className={styles.option}
      onPointerMove={onActivate}
      onClick={(event) => onRun(event.ctrlKey || event.metaKey)}
    >
      <Icon size={16} strokeWidth={1.5} aria-hidden />
      <span className={styles.label}>{label}</span>
      {detail !== undefined && <span className={styles.detail}>{detail}</span>}
      {keys !== undefined && (
        <span className={styles.keys} aria-hidden="true">
          {keys.split(' ').map((key) => (
            <kbd key={key}>{key}</kbd>
          ))}
        </span>
      )}
    </div>
  );
}
