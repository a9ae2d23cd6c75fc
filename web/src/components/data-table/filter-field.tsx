import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { Search } from 'lucide-react';
import { useState } from 'react';
import { toParameter } from './table-search.ts';
import type { TableState } from './use-table-state.ts';

const pauseMs = 250;

interface FilterFieldProps {
  state: TableState;
  /** What is looked for, and where: `Search prompts and responses`. */
  label: string;
  placeholder: string;
  className?: string;
}

/** The filter's text; the address follows when the typing pauses, and going back is seen in the field. */
export function FilterField({ state, label, placeholder, className }: FilterFieldProps) {
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

  return (
    <TextInput
      className={className}
      type="search"
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
}
