import type { FieldProblem } from '@sluice/contract';

type Path = FieldProblem['loc'];

/** Deeper than any body that a row declares. */
const depthMax = 32;

/**
 * Returns the first value that no schema checks for: text that PostgreSQL cannot store, a key that changes an object's
 * prototype, or excessive nesting.
 */
export function findUnfitValue(value: unknown, path: Path): FieldProblem | null {
  if (typeof value === 'string') return findUnfitText(value, path);
  if (typeof value !== 'object' || value === null) return null;
  if (path.length > depthMax) return { loc: path, msg: 'Nested too deeply', type: 'too_deep' };
  for (const [key, part] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
    const place = [...path, key];
    const problem =
      (typeof key === 'string' ? findUnfitKey(key, place) : null) ?? findUnfitValue(part, place);
    if (problem) return problem;
  }
  return null;
}

function findUnfitKey(key: string, path: Path): FieldProblem | null {
  if (key === '__proto__') return { loc: path, msg: 'This name is not allowed', type: 'forbidden_key' };
  return findUnfitText(key, path);
}

function findUnfitText(text: string, path: Path): FieldProblem | null {
  const isStorable = text.isWellFormed() && !text.includes('\0');
  return isStorable
    ? null
    : { loc: path, msg: 'Must not contain NUL or half characters', type: 'unstorable_text' };
}
