/** Changes to the reference that TypeDoc has no options for. */
import {
  Comment,
  CommentTag,
  Converter,
  makeRecursiveVisitor,
  ReferenceType,
  ReflectionKind,
  ReflectionType,
  UnknownType,
} from 'typedoc'

/** Short types for constant tables, whose inferred types would repeat every value. */
const tables = {
  assumptionDefinitions: 'Record<AssumptionKey, AssumptionDefinition>',
  documentedErrors: 'Record<string, DocumentedError>',
}

const shorten = (project, variable) => {
  const isSchema = variable.type instanceof ReferenceType && variable.type.package === 'zod'
  const isTable = Object.hasOwn(tables, variable.name)
  if (!isSchema && !isTable) return
  project.removeTypeReflections(variable.type)
  if (isSchema) variable.type.typeArguments = undefined
  else variable.type = new UnknownType(tables[variable.name])
}

const fieldsOf = (reflection) => reflection.children?.map(({ name }) => name).join()

/** Restores the names of types that zod infers and that are type arguments of others, by comparing their fields. */
const nameInferredTypes = (project) => {
  const interfaces = project.getReflectionsByKind(ReflectionKind.Interface)
  const named = new Map(interfaces.map((reflection) => [fieldsOf(reflection), reflection]))
  const visitor = makeRecursiveVisitor({
    reference: (type) => {
      type.typeArguments = type.typeArguments?.map((argument) => {
        const known = argument instanceof ReflectionType && named.get(fieldsOf(argument.declaration))
        if (!known) return argument
        project.removeTypeReflections(argument)
        return ReferenceType.createResolvedReference(known.name, known, project)
      })
    },
  })
  for (const { type } of Object.values(project.reflections)) type?.visit(visitor)
}

/** Shows the type of `@throws {ApiError} …`, which TypeDoc omits. */
const showThrownTypes = ({ comment }) => {
  for (const tag of comment?.getTags('@throws') ?? []) {
    if (tag.typeAnnotation)
      tag.content.unshift(
        { kind: 'code', text: `\`${tag.typeAnnotation.slice(1, -1)}\`` },
        { kind: 'text', text: ': ' },
      )
  }
}

/** Lists error classes in a group of their own. */
const groupErrors = (reflection) => {
  if (!reflection.name.endsWith('Error') || !reflection.kindOf(ReflectionKind.Class)) return
  reflection.comment?.blockTags.push(new CommentTag('@group', [{ kind: 'text', text: 'Errors' }]))
}

/** What cannot be imported by name, and the members of a type without a name, may be undocumented. */
const allowUndocumented = (reflection) => {
  if (!/\bnot-exported\b|\b__type\b/.test(reflection.getFullName()) || reflection.hasComment()) return
  reflection.comment = new Comment([{ kind: 'text', text: ' ' }])
}

const isInherited = (reflection) => reflection.inheritedFrom && !reflection.kindOf(ReflectionKind.SomeSignature)

/** @param {import('typedoc').Application} app */
export const load = (app) => {
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const variable of project.getReflectionsByKind(ReflectionKind.Variable)) shorten(project, variable)
    nameInferredTypes(project)
    for (const reflection of Object.values(project.reflections)) {
      showThrownTypes(reflection)
      groupErrors(reflection)
      allowUndocumented(reflection)
    }
  })
  // Inherited members are documented at the class that declares them. Runs after inheritance is resolved and before grouping.
  const afterInheritance = -50
  app.converter.on(
    Converter.EVENT_RESOLVE_END,
    ({ project }) => {
      for (const reflection of Object.values(project.reflections)) {
        if (isInherited(reflection)) project.removeReflection(reflection)
      }
    },
    afterInheritance,
  )
}
