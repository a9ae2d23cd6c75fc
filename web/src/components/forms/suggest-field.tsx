import { Autocomplete, type AutocompleteProps } from '@mantine/core';

const shownMax = 6;

interface SuggestFieldProps extends Omit<AutocompleteProps, 'data' | 'limit'> {
  suggestions: readonly string[];
}

/** Text field with suggestions. Accepts any text. */
export function SuggestField({ suggestions, ...props }: SuggestFieldProps) {
  return (
    <Autocomplete
      data={[...new Set(suggestions)]}
      limit={shownMax}
      withScrollArea={false}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      {...props}
    />
  );
}
