import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { Search } from 'lucide-react';
import { useId, useState } from 'react';
import { toParameter } from './table-search.ts';
import type { TableState } from './use-table-state.ts';

const pauseMs = 250;

interface FilterFieldProps {
  state: TableState;
  /** Accessible name and placeholder: `Search prompts and responses`. */
  label: string;
  placeholder: string;
  className?: string;
  /** Returns completions of the typed text. */
  suggest?: (text: string) => readonly string[];
  /** Why the text is not applied as a filter. */
  error?: string | null;
}

/** The filter's text; the address follows when the typing pauses, and going back is seen in the field. */
export function FilterField(props: FilterFieldProps) {
  const { state, label, placeholder, className, suggest, error } = props;
  const listId = useId();
  const written = String(state.search.filter ?? '');
  const [field, setField] = useState({ text: written, written });
  if (field.written !== written)
    setField({ text: field.text.trim() === written ? field.text : written, written });

  const write = useDebouncedCallback((text: string) => {
    const filter = text.trim();
    state.change(
      { filter: filter === '' ? undefined : toParameter(filter) },
      { isTyping: written !== '' && filter !== '' },
    );
  }, pauseMs);

  const input = (
    <TextInput
      className={className}
      type="search"
      list={suggest && listId}
      autoComplete="off"
      error={error}
      aria-label={label}
      placeholder={placeholder}
      leftSection={<Search size={16} strokeWidth={1.5} aria-hidden />}
      value={field.text}
      onChange={(event) => {
        setField({ text: event.currentTarget.value, written });
        write(event.currentTarget.value);
      }}
    />
  );
  if (!suggest) return input;
  return (
    <>
      {input}
      <datalist id={listId}>
        {suggest(field.text).map((text) => (
          <option key={text} value={text} />
        ))}
      </datalist>
    </>
  );
}
