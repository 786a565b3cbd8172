// A linear cascade of biconvex blades on a parabola, as three transfinite blocks of H form between two blades:
//     gmsh cascade.geo -3 -setnumber Mesh.CgnsExportStructured 1 -o cascade.cgns
// The axial chord is 1 m, the pitch 0.8 m; metal angles are 21.8 and -21.8 degrees.
pitch = 0.8; rise = 0.1; thick = 0.06; deep = 0.1;
ahead = 1.0; behind = 1.2;                // length of the blocks before and behind the blade
n = 24;                                   // points on a side of the blade

// side 0: upper side of the blade, at the lower edge of the passage; side 1: lower side of the next blade
For side In {0:1}
  s = 1 - 2 * side;
  list[] = {};
  For k In {0:n}
    t = k / n;
    p = newp;
    Point(p) = {t, 4 * rise * t * (1 - t) + s * 2 * thick * t * (1 - t) + side * pitch, 0};
    list[] += p;
  EndFor
  first~{side} = list[0]; last~{side} = list[n];
  blade~{side} = newl; Spline(blade~{side}) = list[];
  p = newp; Point(p) = {-ahead, -4 * rise * ahead + side * pitch, 0}; in~{side} = p;
  p = newp; Point(p) = {1 + behind, -4 * rise * behind + side * pitch, 0}; out~{side} = p;
  front~{side} = newl; Line(front~{side}) = {in~{side}, first~{side}};
  rear~{side} = newl; Line(rear~{side}) = {last~{side}, out~{side}};
EndFor
across0 = newl; Line(across0) = {in_0, in_1};
across1 = newl; Line(across1) = {first_0, first_1};
across2 = newl; Line(across2) = {last_0, last_1};
across3 = newl; Line(across3) = {out_0, out_1};

l = newll; Curve Loop(l) = {front_0, across1, -front_1, -across0}; s0 = news; Plane Surface(s0) = {l};
l = newll; Curve Loop(l) = {blade_0, across2, -blade_1, -across1}; s1 = news; Plane Surface(s1) = {l};
l = newll; Curve Loop(l) = {rear_0, across3, -rear_1, -across2}; s2 = news; Plane Surface(s2) = {l};

// Of each block: the far side, the volume, and the sides over the four curves of its loop. An extrusion with Layers has the same mesh, but
// gmsh 4.15.2 cannot write it as structured zones.
b0[] = Extrude {0, 0, deep} { Surface{s0}; };
b1[] = Extrude {0, 0, deep} { Surface{s1}; };
b2[] = Extrude {0, 0, deep} { Surface{s2}; };

f0[] = Abs(Boundary{ Surface{b0[0]}; });
f1[] = Abs(Boundary{ Surface{b1[0]}; });
f2[] = Abs(Boundary{ Surface{b2[0]}; });
Transfinite Curve "*" = 2;                // one cell deep
Transfinite Curve {front_0, front_1, f0[0], f0[2]} = 25 Using Progression 0.93;
Transfinite Curve {blade_0, blade_1, f1[0], f1[2]} = 49 Using Bump 0.25;
Transfinite Curve {rear_0, rear_1, f2[0], f2[2]} = 25 Using Progression 1.08;
Transfinite Curve {across0, across1, across2, across3, f0[1], f0[3], f1[1], f2[1], f2[3]} = 33;
Transfinite Surface "*";
Transfinite Volume "*";
Recombine Surface "*";

Physical Volume("fluid") = {b0[1], b1[1], b2[1]};
Physical Surface("inlet") = {b0[5]};
Physical Surface("outlet") = {b2[3]};
Physical Surface("blade") = {b1[2], b1[4]};
Physical Surface("lower") = {b0[2], b2[2]};
Physical Surface("upper") = {b0[4], b2[4]};
Physical Surface("sides") = {s0, s1, s2, b0[0], b1[0], b2[0]};
