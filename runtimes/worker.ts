/** Runs the checks in workerd: a request's body holds the addresses. */
import { conformance, type Addresses } from './conformance.ts'

export default {
  fetch: async (request: Request): Promise<Response> => {
    try {
      return Response.json(await conformance((await request.json()) as Addresses))
    } catch (error) {
      return new Response(String(error), { status: 500 })
    }
  },
}
