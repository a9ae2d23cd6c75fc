import { z } from 'zod';
import type { RouteRow } from '../route.ts';

export interface InputField {
  readonly path: readonly string[];
  readonly schema: z.ZodType;
}

export function inputFields({ request = {} }: Pick<RouteRow, 'request'>): InputField[] {
  return [request.query, request.body, request.form].flatMap((schema) =>
    schema ? fieldsOf(schema, []) : [],
  );
}

function fieldsOf(schema: z.core.$ZodType, path: readonly string[]): InputField[] {
  if (schema instanceof z.ZodObject) {
    return Object.entries<z.core.$ZodType>(schema.shape).flatMap(([name, field]) =>
      fieldsOf(field, [...path, name]),
    );
  }
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => fieldsOf(option, path));
  if (schema instanceof z.ZodArray) return fieldsOf(schema.element, path);
  if (schema instanceof z.ZodPipe) return fieldsOf(schema.in, path);
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault
  )
    return fieldsOf(schema.unwrap(), path);
  return schema instanceof z.ZodType ? [{ path, schema }] : [];
}
