/** What TypeDoc has no option for. */
import {
  CommentTag,
  Converter,
  makeRecursiveVisitor,
  ReferenceType,
  ReflectionKind,
  ReflectionType,
  UnknownType,
} from 'typedoc'

/** Tables that stand for themselves: their types would repeat each of their cells. */
const tables = { assumptionRows: 'Record<AssumptionKey, AssumptionRow>', refusals: 'Record<string, Refusal>' }

const shorten = (project, variable) => {
  const isSchema = variable.type instanceof ReferenceType && variable.type.package === 'zod'
  const isTable = Object.hasOwn(tables, variable.name)
  if (!isSchema && !isTable) return
  project.removeTypeReflections(variable.type)
  if (isSchema) variable.type.typeArguments = undefined
  else variable.type = new UnknownType(tables[variable.name])
}

const fieldsOf = (reflection) => reflection.children?.map(({ name }) => name).join()

/** A type that zod infers has lost its name by the time it is an argument of another: its fields tell which it was. */
const nameInferred = (project) => {
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

/** TypeDoc reads `@throws {ApiError} …` and shows all but the braces. */
const showThrown = ({ comment }) => {
  for (const tag of comment?.getTags('@throws') ?? []) {
    if (tag.typeAnnotation)
      tag.content.unshift(
        { kind: 'code', text: `\`${tag.typeAnnotation.slice(1, -1)}\`` },
        { kind: 'text', text: ': ' },
      )
  }
}

/** The classes to be caught have a group of their own, behind what is called. */
const groupErrors = (reflection) => {
  if (!reflection.name.endsWith('Error') || !reflection.kindOf(ReflectionKind.Class)) return
  reflection.comment?.blockTags.push(new CommentTag('@group', [{ kind: 'text', text: 'Errors' }]))
}

const isInherited = (reflection) => reflection.inheritedFrom && !reflection.kindOf(ReflectionKind.SomeSignature)

/** @param {import('typedoc').Application} app */
export const load = (app) => {
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const variable of project.getReflectionsByKind(ReflectionKind.Variable)) shorten(project, variable)
    nameInferred(project)
    for (const reflection of Object.values(project.reflections)) {
      showThrown(reflection)
      groupErrors(reflection)
    }
  })
  // What a class inherits stands where it is declared, one link away. After it is known, before it is sorted into groups.
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
