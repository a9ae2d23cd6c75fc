import { Button, Loader, Popover } from '@mantine/core';
import type { ReactNode } from 'react';
import { Badge } from '../ui/badge.tsx';
import { StatusMark } from '../ui/status-mark.tsx';
import styles from './picker.module.css';
import type { PickerChoice, PickerSource } from './picker-choices.ts';
import { listIdOf, optionIdOf, type Picker } from './use-picker.ts';

interface PickerListProps {
  picker: Picker;
  source: PickerSource;
  label: string;
  /** The value that is chosen already and still offered. */
  chosen?: string | null | undefined;
  emptyText: string;
  /** The field that the list belongs to. */
  children: ReactNode;
}

/** What a picker offers, below its field; at most five, and how many more there are. */
export function PickerList({ picker, source, children, ...list }: PickerListProps) {
  return (
    <Popover
      opened={picker.isOpen}
      width="target"
      position="bottom-start"
      offset={4}
      withRoles={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      transitionProps={{ duration: 0 }}
      shadow="md"
    >
      <Popover.Target>
        <div>{children}</div>
      </Popover.Target>
      {/* Presses within leave the focus in the input. */}
      <Popover.Dropdown className={styles.dropdown} onMouseDown={(event) => event.preventDefault()}>
        <Offer picker={picker} source={source} {...list} />
      </Popover.Dropdown>
      <div role="status" className="visually-hidden">
        {picker.isOpen && describe(picker, source, list.emptyText)}
      </div>
    </Popover>
  );
}

type OfferProps = Omit<PickerListProps, 'children'>;

function Offer({ picker, source, label, chosen, emptyText }: OfferProps) {
  const { id, shown, moreCount, active, pick } = picker;
  return (
    <>
      <div id={listIdOf(id)} role="listbox" aria-label={label} aria-busy={source.choices === undefined}>
        {shown.map((choice) => (
          <Option
            key={choice.value}
            id={optionIdOf(id, choice.value)}
            choice={choice}
            isActive={choice === active}
            isChosen={choice.value === chosen}
            onPick={() => pick(choice.value)}
          />
        ))}
      </div>
      {source.problem !== undefined ? (
        <div className={styles.problem}>
          <StatusMark kind="bad">{source.problem}</StatusMark>
          <Button variant="default" size="compact-sm" tabIndex={-1} onClick={() => source.onRetry?.()}>
            Try again
          </Button>
        </div>
      ) : (
        <Rest isLoading={source.choices === undefined} emptyText={shown.length === 0 ? emptyText : null} />
      )}
      {moreCount > 0 && <p className={`num ${styles.rest}`}>{moreCount} more available</p>}
    </>
  );
}

function Rest({ isLoading, emptyText }: { isLoading: boolean; emptyText: string | null }) {
  if (!isLoading && emptyText === null) return null;
  return (
    <p className={styles.rest}>
      {isLoading && <Loader size={14} aria-hidden />}
      {isLoading ? 'Loading...' : emptyText}
    </p>
  );
}

interface OptionProps {
  id: string;
  choice: PickerChoice;
  isActive: boolean;
  isChosen: boolean;
  onPick: () => void;
}

function Option({ id, choice, isActive, isChosen, onPick }: OptionProps) {
  const { label, detail, note } = choice;
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the combobox holds the focus
    // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox hears the keys
    <div
      id={id}
      role="option"
      aria-selected={isChosen}
      data-active={isActive || undefined}
      className={styles.option}
      onClick={onPick}
    >
      <span className={styles.label}>{label}</span>
      {detail !== undefined && <span className={styles.detail}>{detail}</span>}
      {note !== undefined && <Badge tone="warn">{note}</Badge>}
    </div>
  );
}

function describe(
  { shown, moreCount }: Picker,
  { choices, problem }: PickerSource,
  emptyText: string,
): string {
  if (problem !== undefined) return `${problem}. Press Enter to try again.`;
  if (choices === undefined) return 'Loading...';
  if (shown.length === 0) return emptyText;
  return `${shown.length} shown${moreCount > 0 ? `, ${moreCount} more available` : ''}`;
}
